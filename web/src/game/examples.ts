/** Routes of a map that show what a rule speaks of, whatever map it is. */
import type { Route } from '../board/map'
import type { Atlas } from './map-data'

export interface Example {
  readonly routes: readonly string[]
  /** Whose they are, in the picture. */
  readonly owners?: Readonly<Record<string, number>>
  readonly closed?: readonly string[]
  readonly stations?: Readonly<Record<string, number>>
}

export interface Examples {
  readonly claim: Example | null
  readonly double: Example | null
  readonly ferry: Example | null
  readonly tunnel: Example | null
  /** Own routes one after another. */
  readonly trail: Example | null
  /** An own route and another player's, and the station that joins them. */
  readonly station: Example | null
  readonly sight: Example | null
}

export function examplesOf(atlas: Atlas): Examples {
  const { routes, cities } = atlas.file
  const alone = (fits: (route: Route) => boolean): Example | null => {
    const found = routes.filter(fits).sort((p, q) => Math.abs(p.length - 3) - Math.abs(q.length - 3))[0]
    return found ? { routes: [found.id] } : null
  }
  const single = (route: Route): boolean => atlas.twin(route) === null
  const plain = routes.filter((route) => route.kind === 'track' && single(route) && route.length <= 3)
  const double = routes.find((route) => {
    const twin = atlas.twin(route)
    return twin !== null && twin.colour !== route.colour && route.length >= 2 && route.length <= 3
  })
  const other = double ? atlas.twin(double) : null
  const line = trailOf(plain, 3)
  const [mine, theirs] = trailOf(plain, 2)
  const between = mine && theirs ? [mine.a, mine.b].find((end) => end === theirs.a || end === theirs.b) : undefined
  const sights = new Set(cities.filter(({ attraction }) => attraction).map(({ id }) => id))
  return {
    claim: alone((route) => route.kind === 'track' && route.colour !== 'grey' && single(route)),
    double: double && other ? { routes: [double.id, other.id], owners: { [double.id]: 1 }, closed: [other.id] } : null,
    ferry: alone((route) => route.kind === 'ferry' && route.wilds > 0 && single(route)),
    tunnel: alone((route) => route.kind === 'tunnel' && route.colour !== 'grey'),
    trail: line.length === 3 ? { routes: line.map(({ id }) => id), owners: owned(line, 0) } : null,
    station:
      mine && theirs && between
        ? { routes: [mine.id, theirs.id], owners: { [mine.id]: 0, [theirs.id]: 1 }, stations: { [between]: 0 } }
        : null,
    sight:
      routes
        .filter((route) => single(route) && (sights.has(route.a) || sights.has(route.b)))
        .slice(0, 1)
        .map(({ id }) => ({ routes: [id], owners: { [id]: 0 } }))[0] ?? null,
  }
}

const owned = (routes: readonly Route[], seat: number): Record<string, number> =>
  Object.fromEntries(routes.map(({ id }) => [id, seat]))

/** So many routes one after another through cities that are all different. */
function trailOf(routes: readonly Route[], n: number): readonly Route[] {
  const grow = (line: readonly Route[], at: string, seen: readonly string[]): readonly Route[] | null => {
    if (line.length === n) return line
    for (const next of routes) {
      const to = next.a === at ? next.b : next.b === at ? next.a : null
      if (to === null || seen.includes(to)) continue
      const found = grow([...line, next], to, [...seen, to])
      if (found) return found
    }
    return null
  }
  for (const { a } of routes) {
    const found = grow([], a, [a])
    if (found) return found
  }
  return []
}
