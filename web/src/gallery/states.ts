import type { MapFile } from '../board/map'

/** Boards for the gallery, the same every time. */
export interface Scene {
  owners: Record<string, number | null>
  closed: Set<string>
  stations: Record<string, number>
  claimable: Set<string>
  wanted: Set<string>
  fresh: Set<string>
  highlighted: { cities: Set<string>; routes: Set<string>; done?: boolean } | null
  lastClaimed: string | null
}

export const STATES = ['empty', 'turn', 'half', 'full', 'ticket'] as const
export type State = (typeof STATES)[number]

export function scene(map: MapFile, state: State): Scene {
  const seats = map.id === 'new-york' ? 4 : 5
  const owners: Record<string, number | null> = {}
  const closed = new Set<string>()
  map.routes.forEach((route, i) => {
    const roll = (i * 7 + 3) % 10
    if (state === 'full' || ((state === 'half' || state === 'ticket') && roll < 5))
      owners[route.id] = (i * 3 + Math.floor(i / 7)) % seats
  })
  if (state === 'half' || state === 'ticket') {
    for (const route of map.routes) {
      const twin = map.routes.find((other) => other !== route && pair(other) === pair(route))
      if (twin && owners[route.id] === undefined && owners[twin.id] !== undefined) closed.add(route.id)
    }
  }
  const stations: Record<string, number> = {}
  const claimable = new Set<string>()
  const open = map.routes.filter((route) => owners[route.id] === undefined && !closed.has(route.id))
  if (state === 'turn') open.filter((_, i) => i % 3 === 0).forEach((route) => claimable.add(route.id))
  if (state === 'half') open.filter((_, i) => i % 4 === 0).forEach((route) => claimable.add(route.id))
  // As many as five seats have, where it is most crowded; New York has none.
  if (state === 'full' && map.id === 'europe') busiest(map, 15).forEach((city, i) => (stations[city] = i % seats))
  else if (map.id === 'europe' && state !== 'empty' && state !== 'turn')
    Object.assign(stations, { munchen: 0, wilno: 1, sofia: 2, paris: 3, roma: 4 })
  const lastClaimed =
    state === 'half'
      ? (map.routes.find((route) => owners[route.id] !== undefined && route.length >= 3)?.id ?? null)
      : null
  const path =
    map.id === 'europe'
      ? [
          'brest-paris',
          'frankfurt-paris-white',
          'frankfurt-munchen',
          'munchen-wien',
          'budapest-wien-red',
          'budapest-kyiv',
          'kyiv-smolensk',
          'moskva-smolensk',
        ]
      : [
          'lincoln-center-times-square-green',
          'times-square-empire-state-building-pink',
          'empire-state-building-gramercy-park-red',
          'gramercy-park-greenwich-village-black',
        ]
  const ends = map.id === 'europe' ? ['brest', 'moskva'] : ['lincoln-center', 'greenwich-village']
  const highlighted = state === 'ticket' ? { cities: new Set(ends), routes: new Set(path) } : null
  const wanted = new Set([...claimable].filter((_, i) => i % 4 === 0))
  const fresh = new Set(state === 'half' ? Object.keys(owners).filter((_, i) => i % 11 === 5) : [])
  return { owners, closed, stations, claimable, wanted, fresh, highlighted, lastClaimed }
}

const pair = (route: { a: string; b: string }): string => [route.a, route.b].sort().join()

function busiest(map: MapFile, n: number): string[] {
  const routes = (city: string): number => map.routes.filter(({ a, b }) => a === city || b === city).length
  return [...map.cities.map(({ id }) => id)].sort((a, b) => routes(b) - routes(a)).slice(0, n)
}
