/** Actions as a record writes them: read, and told in words. */
import type { Atlas } from '../map-data'
import { colourName, ticketText } from '../sayings'
import { s } from '../../text/study.svelte'
import { words } from '../../text/text.svelte'

export interface Line {
  readonly is: string
  readonly words: readonly string[]
}

export function lineOf(text: string): Line {
  const [is = '', ...rest] = text.split(' ')
  return { is, words: rest }
}

/** The route or city that an action is about. */
export function placeOf(text: string): string | null {
  const {
    is,
    words: [what],
  } = lineOf(text)
  return (is === 'claim' || is === 'build') && what ? what : null
}

/** Where an action is told: as what was done, or as what would have been better. */
export function actionSaid(text: string, how: 'did' | 'better', atlas: Atlas, row: readonly (string | null)[]): string {
  const line = lineOf(text)
  const [what = ''] = line.words
  const key = <T extends string>(what: T) => (how === 'did' ? (`did.${what}` as const) : (`better.${what}` as const))
  switch (line.is) {
    case 'draw':
      return what === '?' ? s(key('draw')) : s(key('take'), { colour: colourName(row[Number(what)] ?? 'wild') })
    case 'claim':
      return s(key('claim'), half(what, atlas))
    case 'tickets':
      return s(key('tickets'))
    case 'keep':
      return s(key('keep'), { tickets: words.list(line.words.map((id) => ticketText(id, atlas))) })
    case 'build':
      return s(key('build'), { city: atlas.cityName(what, words.lang) })
    case 'pay':
      return s(key('pay'))
    case 'take-back':
      return s(key('back'))
    default:
      return s(key('pass'))
  }
}

export function ends(id: string, atlas: Atlas): { a: string; b: string } {
  const route = atlas.route(id)
  return { a: atlas.cityName(route?.a ?? id, words.lang), b: atlas.cityName(route?.b ?? id, words.lang) }
}

/** The same, with the colour where another route joins the same two. */
function half(id: string, atlas: Atlas): { a: string; b: string } {
  const { a, b } = ends(id, atlas)
  const route = atlas.route(id)
  const other = route ? atlas.twin(route) : null
  if (!route || !other || other.colour === route.colour) return { a, b }
  return { a, b: s('route.half', { b, colour: colourName(route.colour) }) }
}

type Reason = Readonly<Record<string, unknown>>

/** Why an action is good, as hints have it, and what it brings; nothing where no reason is known. */
export function reasonSaid(reason: Reason, atlas: Atlas): string {
  const between = words.lang === 'en' ? ' ' : ''
  const listed = (name: string): string => words.list(idsOf(reason, name).map((id) => ticketText(id, atlas)))
  if (typeof reason['points'] === 'number') return claimSaid(reason, listed).join(between)
  const route = typeof reason['route'] === 'string' ? ends(reason['route'], atlas) : null
  switch (reason['reason']) {
    case 'keep-tickets':
      return keepSaid(reason).join(between)
    case 'collect':
      return route ? s('because.collect', { route: `${route.a} – ${route.b}` }) : s('because.collect.any')
    case 'station':
    case 'more-tickets':
    case 'tunnel':
    case 'take-back':
    case 'last-turn':
    case 'nothing-else':
    case 'playouts':
      return s(`because.${reason['reason']}`)
    default:
      return ''
  }
}

const idsOf = (reason: Reason, name: string): readonly string[] =>
  Array.isArray(reason[name]) ? reason[name].map(String) : []
const numberOf = (reason: Reason, name: string): number => Number(reason[name] ?? 0)

/** What a claim brings, the weightiest first; its points where there is nothing else to say. */
function claimSaid(reason: Reason, listed: (name: string) => string): string[] {
  const said: string[] = []
  if (idsOf(reason, 'completes').length > 0) said.push(s('because.completes', { tickets: listed('completes') }))
  else if (idsOf(reason, 'tickets').length > 0) said.push(s('because.join-tickets', { tickets: listed('tickets') }))
  if (numberOf(reason, 'sights') > 0) said.push(s('because.sights', { n: numberOf(reason, 'sights') }))
  const [n, other] = Array.isArray(reason['trail']) ? reason['trail'].map(Number) : []
  if (n !== undefined && other !== undefined)
    said.push(n > other ? s('because.trail', { n, other }) : s('because.trail.level', { n }))
  if (reason['last_round']) said.push(s('because.last-round'))
  if (said.length === 0)
    said.push(s('because.points', { points: numberOf(reason, 'points'), cards: numberOf(reason, 'cards') }))
  if (reason['reason'] === 'last-turn') said.push(s('because.last-turn'))
  return said
}

/** How many cars the tickets kept take, and what all that were offered would have taken. */
function keepSaid(reason: Reason): string[] {
  if (typeof reason['cars'] !== 'number') return [s('because.playouts')]
  const cars = { cars: reason['cars'], left: numberOf(reason, 'left') }
  const said = [
    numberOf(reason, 'beside') > 0
      ? s('because.keep.beside', cars)
      : s('because.keep', { ...cars, n: idsOf(reason, 'tickets').length }),
  ]
  if (typeof reason['all'] === 'number') said.push(s('because.keep.all', { cars: reason['all'] }))
  return said
}

/** A sentence begins with a capital, where there are any. */
export const capital = (text: string): string => text.charAt(0).toLocaleUpperCase(words.lang) + text.slice(1)
