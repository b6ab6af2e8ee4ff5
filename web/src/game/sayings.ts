/** Players, cards and events in words. */
import type { Route } from '../board/map'
import type { Atlas } from './map-data'
import { cardsOf } from './payments'
import { t, words, type Args, type Key } from '../text/text.svelte'
import type { ActionJson, AdviceMessage, Entry, EventJson, Payment, SeatInfo, ViewJson } from '../wire/messages'

export function botName(level: string | null): string {
  const key = `bot.${level}`
  return words.has(key) ? t(key) : t('bot.other', { level: level ?? '' })
}
export function levelName(level: string): string {
  const key = `level.${level}`
  return words.has(key) ? t(key) : level
}
/** What a bot of this level does, in a sentence; nothing is known of others. */
export function levelMeans(level: string): string {
  const key = `level.${level}.means`
  return words.has(key) ? t(key) : ''
}
export function colourName(colour: string): string {
  const key = `colour.${colour}`
  return words.has(key) ? t(key) : colour
}
const isWild = (card: string | null): string => (card === 'wild' ? 'yes' : 'no')
export const seatName = (colour: string): string => {
  const key = `seat.${colour}`
  return words.has(key) ? t(key) : colour
}

/** A bot's own name as one reads it here; by its level where it has none. */
export function botCalled(name: string, level: string | null): string {
  const key = `bot.name.${name}`
  return words.has(key) ? t(key) : name && name !== level ? name : botName(level)
}

/** What each seat is called, and by colour too where two would be called the same. */
export function namesOf(seats: readonly Pick<SeatInfo, 'who' | 'name' | 'level' | 'colour'>[]): readonly string[] {
  const plain = seats.map((seat) =>
    seat.who === 'bot' ? botCalled(seat.name, seat.level) : seat.name || seatName(seat.colour),
  )
  return plain.map((name, i) =>
    plain.indexOf(name) === plain.lastIndexOf(name)
      ? name
      : t('name.withColour', { name, colour: seatName(seats[i]!.colour) }),
  )
}

export function cardsText(payment: Payment): string {
  return countsText(cardsOf(payment))
}

/** Some cards of one colour: "3 locomotives". */
export const stackText = (colour: string, n: number): string =>
  t('cards.list', { n, colour: colourName(colour), wild: isWild(colour) })

/** Cards by colour, as a list: "2 red, 1 locomotive". */
export function countsText(cards: readonly (string | null)[]): string {
  const counts = new Map<string, number>()
  for (const card of cards) if (card !== null) counts.set(card, (counts.get(card) ?? 0) + 1)
  return words.list([...counts].map(([colour, n]) => stackText(colour, n)))
}

/** Whose a route is, or whether it can still be claimed. */
export function stateText(
  route: string,
  view: Pick<ViewJson, 'owners' | 'closed'>,
  names: readonly string[],
  claimable: ReadonlySet<string>,
): string {
  const owner = view.owners[route]
  if (owner !== undefined) return t('routes.state.owned', { name: names[owner] ?? '' })
  if (view.closed.includes(route)) return t('routes.state.closed')
  return claimable.has(route) ? t('routes.state.claimable') : t('routes.state.free')
}

/** A whole route in one sentence. */
export function routeText({ a, b, length, colour, kind }: Route, atlas: Atlas, state: string): string {
  const kinds = { track: t('kind.track'), tunnel: t('kind.tunnel'), ferry: t('kind.ferry') }
  return t('routes.describe', {
    a: atlas.cityName(a, words.lang),
    b: atlas.cityName(b, words.lang),
    n: length,
    colour: colourName(colour),
    kind: kinds[kind],
    state,
  })
}

export interface Line {
  readonly key: string
  readonly n: number
  readonly seat: number | null
  readonly text: string
  readonly kind: 'turn' | 'plain' | 'loud'
  /** The route or city it tells of. */
  readonly place?: string
}

type Add = (key: Key, seat: number | null, args?: Args, kind?: Line['kind'], place?: string) => void

/** One log entry as lines. Turns turned up are told together. */
export function tell(entry: Entry, atlas: Atlas, names: readonly string[], mine: number | null): readonly Line[] {
  const lines: Line[] = []
  const add: Add = (key, seat, args = {}, kind = 'plain', place) => {
    const you = seat !== null && seat === mine ? 'yes' : 'no'
    const name = seat === null ? '' : (names[seat] ?? '')
    const text = t(key, { you, name, ...args })
    lines.push({ key: `${entry.n}.${lines.length}`, n: entry.n, seat, text, kind, ...(place ? { place } : {}) })
  }
  if (entry.is === 'start') add('log.start', null, { map: atlas.file.name[words.lang] })
  if (entry.is === 'undo') add('log.undo', entry.seat)
  if (entry.is === 'abandon') add('log.abandon', null, {}, 'loud')
  if (entry.is !== 'undo') tellEvents(entry.events, atlas, add)
  const asides: Partial<Record<Entry['by'], Key>> = {
    clock: 'log.clock',
    'stand-in': 'log.standIn',
    fallback: 'log.fallback',
  }
  const why = asides[entry.by]
  const aside = why === undefined ? '' : t(why)
  const first = lines.find((line) => line.kind === 'plain')
  return aside && first
    ? lines.map((line) => (line === first ? { ...line, text: line.text + words.gap + aside } : line))
    : lines
}

function tellEvents(events: readonly EventJson[], atlas: Atlas, add: Add): void {
  const turned = events.flatMap((event) => (event.is === 'turned' ? [event.card] : []))
  const city = (id: string): string => atlas.cityName(id, words.lang)
  const ends = (id: string): Args => {
    const route = atlas.route(id)
    return { a: city(route?.a ?? id), b: city(route?.b ?? id) }
  }
  let toldTurned = false
  for (const event of events) {
    switch (event.is) {
      case 'answered':
        add('log.answered', event.seat)
        break
      case 'kept':
        add('log.kept', event.seat, { n: event.kept, offered: event.offered })
        break
      case 'offered':
        if (events.every((other) => other.is !== 'dealt')) add('log.offered', event.seat, { n: event.tickets.length })
        break
      case 'turn':
        add('log.turn', event.seat, { n: event.turn }, 'turn')
        break
      case 'drawn':
        add('log.drawn', event.seat, {
          card: event.card === null ? 'hidden' : colourName(event.card),
          wild: isWild(event.card),
        })
        break
      case 'taken':
        add('log.taken', event.seat, { card: colourName(event.card), wild: isWild(event.card) })
        break
      case 'reset':
        add('log.reset', null)
        break
      case 'reshuffled':
        add('log.reshuffled', null, { n: event.cards })
        break
      case 'laid':
        add('log.laid', event.seat, { ...ends(event.route), cards: cardsText(event.payment) }, 'plain', event.route)
        break
      case 'turned':
        if (!toldTurned) add('log.turned', null, { cards: countsText(turned) })
        toldTurned = true
        break
      case 'owed':
        add('log.owed', null, { n: event.owed })
        break
      case 'taken-back':
        add('log.takenBack', event.seat)
        break
      case 'claimed':
        add(
          'log.claimed',
          event.seat,
          { ...ends(event.route), cards: cardsText(event.payment), points: event.points },
          'plain',
          event.route,
        )
        break
      case 'built':
        add('log.built', event.seat, { city: city(event.city), cards: cardsText(event.payment) }, 'plain', event.city)
        break
      case 'passed':
        add('log.passed', event.seat)
        break
      case 'last-round':
        add('log.lastRound', event.seat, {}, 'loud')
        break
      case 'ended':
        add('log.ended', null, {}, 'loud')
        break
      default:
    }
  }
}

/** A ticket by its cities. */
export function ticketText(id: string, atlas: Atlas): string {
  const { a, b } = atlas.ticket(id)
  return `${atlas.cityName(a, words.lang)} – ${atlas.cityName(b, words.lang)}`
}

/** What of the asking seat's view a hint is worded by. */
export interface Asking {
  readonly row: readonly (string | null)[]
  readonly names: readonly string[]
  /** Its routes. */
  readonly mine: readonly string[]
  /** Whether it has tickets, and all of them are done. */
  readonly done: boolean
}

/** What a bot advises, which tickets or which route that serves, or what points it brings, and what there is to fear. */
export function adviceText({ action, why }: AdviceMessage, atlas: Atlas, asking: Asking): string {
  const advice = actionText(action, atlas, asking.row)
  if (action.is === 'keep') return advice
  const served = why.tickets?.length ? { n: why.tickets.length, tickets: quoted(why.tickets, atlas) } : null
  const route = atlas.route(why.route ?? '')
  if (action.is === 'draw' && route) {
    const [a, b] = [route.a, route.b].map((id) => atlas.cityName(id, words.lang))
    const from = action.slot === null ? 'deck' : 'row'
    return words.sentences([advice, t('hint.collect', { a: a!, b: b!, from, n: 0, tickets: '', ...served })])
  }
  return words.sentences([
    served ? t('hint.why', { advice, ...served }) : advice,
    action.is === 'claim' && !served && !why.lost ? pointsText(action.route, why.idle ?? false, atlas, asking) : '',
    why.detour?.length ? t('hint.detour', { tickets: quoted(why.detour, atlas) }) : '',
    why.near && why.lost ? fearText(why.near, why.lost, atlas, asking.names) : '',
  ])
}

/** Tickets by their cities, so that they are not taken for routes. */
const quoted = (ids: readonly string[], atlas: Atlas): string =>
  words.list(ids.map((id) => t('hint.ticket', { ticket: ticketText(id, atlas) })))

/** What a route scores that serves no ticket; `idle`: it brings none nearer either. */
function pointsText(id: string, idle: boolean, atlas: Atlas, { mine, done }: Asking): string {
  const route = atlas.route(id)
  if (!route) return ''
  const why = !idle ? 'unknown' : done ? 'done' : 'idle'
  return t('hint.points', { why, n: atlas.pointsFor(route.length), sights: atlas.newSights(route, mine).length })
}

/** Who comes near a route, and what each ticket would miss without it. */
function fearText(
  near: readonly number[],
  lost: Readonly<Record<string, number | null>>,
  atlas: Atlas,
  names: readonly string[],
): string {
  const losses = Object.entries(lost).map(([id, n]) => {
    const ticket = t('hint.ticket', { ticket: ticketText(id, atlas) })
    return n === null ? t('hint.cutOff', { ticket }) : t('hint.longer', { ticket, n })
  })
  const who = words.list(near.map((seat) => names[seat] ?? ''))
  return t('hint.fear', { who, n: near.length, losses: words.clauses(losses) })
}

function actionText(action: ActionJson, atlas: Atlas, row: readonly (string | null)[]): string {
  const city = (id: string): string => atlas.cityName(id, words.lang)
  switch (action.is) {
    case 'draw':
      return action.slot === null ? t('hint.draw') : t('hint.take', { colour: colourName(row[action.slot] ?? 'wild') })
    case 'claim': {
      const route = atlas.route(action.route)
      return t('hint.claim', { a: city(route?.a ?? ''), b: city(route?.b ?? '') })
    }
    case 'tickets':
      return t('hint.tickets')
    case 'keep':
      return t('hint.keepThese', { tickets: words.list(action.tickets.map((id) => ticketText(id, atlas))) })
    case 'build':
      return t('hint.build', { city: city(action.city) })
    case 'pay':
      return t('hint.pay')
    case 'take-back':
      return t('hint.back')
    case 'pass':
      return t('hint.pass')
  }
}
