/** The first game, move by move: what to do now, and what has been learned. */
import { t, words } from '../text/text.svelte'
import type { AdviceMessage, Entry } from '../wire/messages'
import { paymentsFor } from './payments'
import { colourName, ticketText } from './sayings'
import type { Scene } from './scene.svelte'

/** What a newcomer has done once. */
export type Lesson = 'drawn' | 'claimed' | 'special'

export interface Move {
  readonly text: string
  /** A part of the page to look at, by its `data-spot`. */
  readonly spot?: string
  /** What shines meanwhile. */
  readonly action?: AdviceMessage['action']
}

/** What somebody learned from an entry of theirs. */
export function lessons(entry: Entry, scene: Scene): readonly Lesson[] {
  return entry.events.flatMap((event): Lesson[] => {
    if (!('seat' in event) || event.seat !== scene.live.seat) return []
    if (event.is === 'drawn' || event.is === 'taken') return ['drawn']
    if (event.is !== 'claimed') return []
    return isSpecial(event.route, scene) ? ['claimed', 'special'] : ['claimed']
  })
}

/** Whether everything was done once that this map has. */
export function isLearned(learned: readonly Lesson[], scene: Scene): boolean {
  const all: Lesson[] = hasSpecial(scene) ? ['drawn', 'claimed', 'special'] : ['drawn', 'claimed']
  return all.every((lesson) => learned.includes(lesson))
}
export const hasSpecial = (scene: Scene): boolean => scene.atlas.file.routes.some(({ kind }) => kind !== 'track')

/** What to do now, as a bot would, but sooner where there is something to learn. */
export function nextMove(scene: Scene, learned: readonly Lesson[], advice: AdviceMessage | null): Move | null {
  const { view, atlas } = scene
  const action = advice?.action
  if (scene.choosing) {
    if (action?.is !== 'keep') return { text: t('guide.keep') }
    const tickets = words.list(action.tickets.map((id) => ticketText(id, atlas)))
    return { text: t('guide.keep.these', { tickets, n: action.tickets.length }), action }
  }
  if (!scene.asking) return null
  if (view.stage === 'tunnel-owed') return { text: t('guide.owed') }
  if (view.stage === 'second-draw')
    return action
      ? { ...drawn(action, scene, null), text: words.sentences([t('guide.second'), drawn(action, scene, null).text]) }
      : null
  const route = worthClaiming(scene, learned)
  if (route) return claim(route, scene)
  if (!action) return null
  switch (action.is) {
    case 'claim':
      return claim(action.route, scene)
    case 'tickets':
      return { text: t('guide.tickets.draw'), spot: 'tickets', action }
    case 'build':
      return { text: t('guide.station', { city: atlas.cityName(action.city, words.lang) }), action }
    default:
      return drawn(action, scene, advice?.why.route ?? null)
  }
}

/** A route that can be claimed and helps; one that teaches something before others. */
function worthClaiming(scene: Scene, learned: readonly Lesson[]): string | null {
  const can = [...scene.claimable]
  const near = can.filter((id) => scene.near.has(id))
  const length = (id: string): number => scene.atlas.route(id)?.length ?? 0
  const longest = (ids: readonly string[]): string | undefined => [...ids].sort((a, b) => length(b) - length(a))[0]
  if (!learned.includes('special')) {
    const special = longest(near.filter((id) => isSpecial(id, scene)))
    if (special) return special
    // Somebody who knows the rest is shown one that helps nothing but the points.
    const other = can.filter((id) => isSpecial(id, scene)).sort((a, b) => length(a) - length(b))[0]
    if (other && learned.includes('claimed') && learned.includes('drawn')) return other
  }
  return longest(near) ?? null
}

const isSpecial = (route: string, scene: Scene): boolean => (scene.atlas.route(route)?.kind ?? 'track') !== 'track'

function ends(id: string, scene: Scene): { a: string; b: string } {
  const route = scene.atlas.route(id)
  const name = (city: string | undefined): string => (city ? scene.atlas.cityName(city, words.lang) : '')
  return { a: name(route?.a), b: name(route?.b) }
}

function claim(id: string, scene: Scene): Move {
  const kind = scene.atlas.route(id)?.kind
  const key = kind === 'tunnel' ? 'guide.tunnel' : kind === 'ferry' ? 'guide.ferry' : 'guide.claim'
  const payment = paymentsFor(scene.view.choices, id)[0]
  const text = t(key, ends(id, scene))
  return payment ? { text, action: { is: 'claim', route: id, payment } } : { text }
}

function drawn(action: AdviceMessage['action'], scene: Scene, route: string | null): Move {
  if (action.is !== 'draw') return { text: t('guide.deck'), spot: 'deck' }
  if (action.slot === null) return { text: t('guide.deck'), spot: 'deck', action }
  const colour = colourName(scene.view.row[action.slot] ?? 'wild')
  const text = route ? t('guide.take', { colour, ...ends(route, scene) }) : t('guide.takeAny', { colour })
  return { text, spot: `row-${action.slot}`, action }
}
