/** Which screen is shown: the address bar is the only memory of it. */
export type Place =
  | { readonly screen: 'home' }
  | { readonly screen: 'new' }
  | { readonly screen: 'table'; readonly id: string }
  | { readonly screen: 'join'; readonly code: string }
  | { readonly screen: 'replay'; readonly id: string | null }
  | { readonly screen: 'challenge'; readonly id: string | null }
  | { readonly screen: 'games' }
  | { readonly screen: 'puzzle'; readonly id: string | null }
  | { readonly screen: 'rules' }
  | { readonly screen: 'device' }
  | { readonly screen: 'lost' }

export function placeOf(path: string): Place {
  const [first = '', second = ''] = path.split('/').filter(Boolean).map(decodeURIComponent)
  switch (first) {
    case '':
      return { screen: 'home' }
    case 'new':
      return { screen: 'new' }
    case 'table':
      return second ? { screen: 'table', id: second } : { screen: 'lost' }
    case 'join':
      return { screen: 'join', code: second }
    case 'replay':
      return { screen: 'replay', id: second || null }
    case 'challenge':
      return { screen: 'challenge', id: second || null }
    case 'games':
      return { screen: 'games' }
    case 'puzzles':
      return { screen: 'puzzle', id: second || null }
    case 'rules':
      return { screen: 'rules' }
    case 'device':
      return { screen: 'device' }
    default:
      return { screen: 'lost' }
  }
}

class Router {
  path = $state(location.pathname)
  place = $derived(placeOf(this.path))

  constructor() {
    addEventListener('popstate', () => (this.path = location.pathname))
  }

  go(path: string, replace = false): void {
    if (replace) history.replaceState(null, '', path)
    else history.pushState(null, '', path)
    this.path = location.pathname
    scrollTo(0, 0)
  }

  /** For links: a plain click stays in the page, any other is the browser's. */
  follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const href = (event.currentTarget as HTMLAnchorElement).getAttribute('href')
    if (!href?.startsWith('/')) return
    event.preventDefault()
    this.go(href)
  }
}

export const router = new Router()
