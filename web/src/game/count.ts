/** The final count as it is told on the board, one thing after another. */
import type { Highlight } from '../board/highlight'
import { t, words } from '../text/text.svelte'
import type { Scores } from '../wire/messages'
import type { Atlas } from './map-data'

export interface Step {
  readonly text: string
  readonly seat: number
  readonly points: number
  readonly light: Highlight | null
}
type Score = Scores['seats'][number]

export function countSteps(
  scores: Scores,
  atlas: Atlas,
  names: readonly string[],
  owners: Readonly<Record<string, number>>,
): readonly Step[] {
  const nameOf = ({ seat }: Score): string => names[seat] ?? ''
  return [
    ...scores.seats.flatMap((score) => [
      routesOf(score, nameOf(score), owners),
      ...borrowedBy(score, nameOf(score), atlas),
      ...ticketsOf(score, nameOf(score), atlas),
      ...stationsOf(score, nameOf(score), atlas),
      ...sightsOf(score, nameOf(score), atlas, owners),
    ]),
    ...scores.seats.filter(({ bonus }) => bonus > 0).map((score) => trailOf(score, nameOf(score))),
  ]
}

const light = (cities: readonly string[], routes: readonly string[], done = true): Highlight => ({
  cities: new Set(cities),
  routes: new Set(routes),
  done,
})

function routesOf({ seat, routes }: Score, name: string, owners: Readonly<Record<string, number>>): Step {
  const claimed = Object.entries(owners).flatMap(([route, owner]) => (owner === seat ? [route] : []))
  return { seat, points: routes, text: t('end.step.routes', { name, n: routes }), light: light([], claimed) }
}

function ticketsOf({ seat, tickets }: Score, name: string, atlas: Atlas): Step[] {
  const city = (id: string): string => atlas.cityName(id, words.lang)
  return tickets.map(({ ticket, completed, points, path }) => {
    const { a, b } = atlas.ticket(ticket)
    return {
      seat,
      points: completed ? points : -points,
      text: t('end.step.ticket', { name, a: city(a), b: city(b), done: completed ? 'yes' : 'no' }),
      light: light([a, b], path, completed),
    }
  })
}

function borrowedBy({ seat, borrowed }: Score, name: string, atlas: Atlas): Step[] {
  const city = (id: string): string => atlas.cityName(id, words.lang)
  return Object.entries(borrowed).flatMap(([at, id]): Step[] => {
    const route = id === null ? undefined : atlas.route(id)
    if (!route) return []
    const text = t('end.step.borrow', { name, city: city(at), a: city(route.a), b: city(route.b) })
    return [{ seat, points: 0, text, light: light([at], [route.id]) }]
  })
}

function stationsOf({ seat, stations }: Score, name: string, atlas: Atlas): Step[] {
  if (stations === 0) return []
  const n = stations / (atlas.rule('station_points') || 1)
  return [{ seat, points: stations, text: t('end.step.stations', { name, n }), light: null }]
}

/** The points are the server's; which attractions they stand for is plain to see on the board. */
function sightsOf(
  { seat, attractions }: Score,
  name: string,
  atlas: Atlas,
  owners: Readonly<Record<string, number>>,
): Step[] {
  if (attractions === 0) return []
  const mine = atlas.file.routes.filter(({ id }) => owners[id] === seat)
  const reached = new Set(mine.flatMap(({ a, b }) => [a, b]))
  const sights = atlas.file.cities.filter(({ id, attraction }) => attraction && reached.has(id)).map(({ id }) => id)
  const text = t('end.step.attractions', { name, n: attractions })
  return [{ seat, points: attractions, text, light: light(sights, []) }]
}

function trailOf({ seat, bonus, trail, trail_length }: Score, name: string): Step {
  return { seat, points: bonus, text: t('end.step.trail', { name, n: trail_length }), light: light([], trail) }
}
