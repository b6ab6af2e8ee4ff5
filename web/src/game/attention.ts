/** Calls a person back to the page: title, icon, notification. */
import { settings } from './settings.svelte'

const icon = (turn: boolean): string => {
  const ground = turn ? '#d9b45f' : '#1e2935'
  const rail = turn ? '#1e2935' : '#f5f0e6'
  const dot = turn ? '<circle cx="25" cy="7" r="6" fill="#b3261e"/>' : ''
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${ground}"/><path d="M7 25C14 25 11 8 25 8M7 25h18" fill="none" stroke="${rail}" stroke-width="4" stroke-linecap="round"/>${dot}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

export function dress(turn: boolean, title: string): void {
  document.title = title
  let link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (!link) {
    link = document.createElement('link')
    link.rel = 'icon'
    document.head.append(link)
  }
  link.href = icon(turn)
}

export function notify(text: string): void {
  if (
    !settings.notify ||
    !document.hidden ||
    typeof Notification === 'undefined' ||
    Notification.permission !== 'granted'
  )
    return
  try {
    const note = new Notification('Branchline', { body: text, tag: 'branchline-turn', icon: icon(true) })
    note.onclick = () => {
      window.focus()
      note.close()
    }
  } catch {
    // Some phones allow notifications only from a service worker; title and sound remain.
  }
}
