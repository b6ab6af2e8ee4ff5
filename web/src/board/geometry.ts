import { along, beside, type Curve, pathOf, type Point, through, tidy } from './curve'
import type { City, MapFile, Route } from './map'

/** The measures everything on a board is drawn in, derived from how tightly its routes are packed. */
export interface Scale {
  readonly carLength: number
  readonly carWidth: number
  readonly gap: number
  readonly cityRadius: number
}

/** Where one car lies: its centre, its direction in radians, its length. */
export interface Space extends Point {
  readonly angle: number
  readonly length: number
}

export interface LaidRoute {
  readonly route: Route
  /** The other half of a double route. */
  readonly twin: string | null
  /** From city to city through the middle of the spaces; what pointing is measured against. */
  readonly line: Curve
  readonly bed: string
  readonly spaces: readonly Space[]
  readonly middle: Point
}

export interface LaidCity {
  readonly city: City
  readonly radius: number
}

export interface Layout {
  readonly scale: Scale
  readonly cities: readonly LaidCity[]
  readonly routes: readonly LaidRoute[]
}

const ATTRACTION = 1.45
const STRETCH = 1.16

export function lay(map: MapFile): Layout {
  const cities = new Map(map.cities.map((city) => [city.id, city]))
  const scale = scaleOf(map)
  const radius = (city: City): number => scale.cityRadius * (city.attraction ? ATTRACTION : 1)
  const halves = pairs(map.routes)
  const routes = map.routes.map((route): LaidRoute => {
    const a = cities.get(route.a)!
    const b = cities.get(route.b)!
    const pair = halves.get(pairOf(route))!
    const twin = pair.find((other) => other.id !== route.id)
    // Both halves bend together, along the first one's bends, so that they stay parallel.
    const leader = pair[0]!
    const bends = (leader.bends ?? []).map(([x, y]) => ({ x, y }))
    const centre = through([a, ...(leader.a === route.a ? bends : bends.reverse()), b])
    const side = pair.indexOf(route) - (pair.length - 1) / 2
    const turned = leader.a === route.a ? 1 : -1
    const apart = scale.carWidth * (route.kind === 'tunnel' ? 1.42 : 1.22)
    const offset = side * apart * turned
    const line = beside(centre, offset, scale.carLength * 1.1)
    const spaces = spread(centre, offset, route.length, scale, radius(a), radius(b))
    return { route, twin: twin?.id ?? null, line, bed: pathOf(line), spaces, middle: along(line, line.length / 2) }
  })
  return { scale, cities: map.cities.map((city) => ({ city, radius: radius(city) })), routes }
}

const pairOf = (route: Route): string => [route.a, route.b].sort().join(' ')

/** The routes between the same two cities, together. */
export function pairs(routes: readonly Route[]): Map<string, Route[]> {
  const out = new Map<string, Route[]>()
  for (const route of routes) out.set(pairOf(route), [...(out.get(pairOf(route)) ?? []), route])
  return out
}

function scaleOf(map: MapFile): Scale {
  const cities = new Map(map.cities.map((city) => [city.id, city]))
  const pitches = map.routes
    .map(({ a, b, length }) => {
      const [p, q] = [cities.get(a)!, cities.get(b)!]
      return Math.hypot(p.x - q.x, p.y - q.y) / (length + 0.8)
    })
    .sort((p, q) => p - q)
  const tight = pitches[Math.floor(pitches.length * 0.06)]!
  const widest = Math.min(map.size.width, map.size.height) / 16
  const carLength = tidy(Math.min(tight * 0.91, widest))
  return {
    carLength,
    carWidth: tidy(carLength * 0.47),
    gap: tidy(carLength * 0.09),
    cityRadius: tidy(carLength * 0.27),
  }
}

/** Cars of one length, evenly spread over what the two cities leave free. */
function spread(
  centre: Curve,
  offset: number,
  count: number,
  scale: Scale,
  startRadius: number,
  endRadius: number,
): Space[] {
  const start = startRadius + scale.gap * 1.2
  const free = centre.length - start - endRadius - scale.gap * 1.2
  const length = Math.min(scale.carLength * STRETCH, (free - (count - 1) * scale.gap) / count)
  const rest = (free - count * length) / (count + 1)
  // A tight train closes up to its ends; a loose one shares the room out.
  const gap = count > 1 ? Math.max(rest, Math.min(scale.gap, (free - count * length) / (count - 1))) : rest
  const lead = (free - count * length - (count - 1) * gap) / 2
  const places = Array.from({ length: count }, (_, i) => {
    const { x, y, angle } = along(centre, start + lead + length / 2 + i * (length + gap))
    return { x: x - Math.sin(angle) * offset, y: y + Math.cos(angle) * offset, angle }
  })
  // On the inside of a bend the places draw together, and the cars with them.
  const pitch = places.slice(1).map((p, i) => Math.hypot(p.x - places[i]!.x, p.y - places[i]!.y))
  const fits = Math.min(length, ...pitch.map((p) => p - scale.gap * 0.8))
  return places.map((p) => ({ ...p, length: fits }))
}
