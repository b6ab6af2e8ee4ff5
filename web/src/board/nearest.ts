import { distanceTo, type Point } from './curve'
import type { LaidCity, LaidRoute, Layout } from './geometry'

export type Target =
  { readonly kind: 'route'; readonly route: LaidRoute } | { readonly kind: 'city'; readonly city: LaidCity }

export interface Leaning {
  /** Cities are not what is asked for: a route within reach goes before. */
  readonly routesFirst?: boolean
  /** Only a city is asked for. */
  readonly citiesOnly?: boolean
  /** Routes that a finger means rather than their neighbours when it is nearly as close to them. */
  readonly likely?: ReadonlySet<string>
}

/** What a finger means: the city it is on, else the route whose line is nearest within `reach`. */
export function targetAt(layout: Layout, point: Point, reach: number, leaning: Leaning = {}): Target | null {
  let city: LaidCity | null = null
  let least = Infinity
  for (const laid of layout.cities) {
    const d = Math.hypot(point.x - laid.city.x, point.y - laid.city.y)
    if (d < Math.max(laid.radius * 1.25, reach * 0.55) && d < least) [city, least] = [laid, d]
  }
  if (leaning.citiesOnly) return city && { kind: 'city', city }
  let route: LaidRoute | null = null
  let near = Math.max(reach, layout.scale.carWidth)
  const favour = reach * 0.3
  for (const laid of layout.routes) {
    const first = laid.spaces[0]!
    const last = laid.spaces.at(-1)!
    const box = near + laid.line.length
    if (Math.abs(first.x - point.x) > box && Math.abs(last.x - point.x) > box) continue
    const d = distanceTo(laid.line, point) - (leaning.likely?.has(laid.route.id) ? favour : 0)
    if (d < near) [route, near] = [laid, d]
  }
  // On a car it is the route, also beside a city.
  const onCar = near < layout.scale.carWidth * 0.55 && least > (city?.radius ?? 0) * 1.25
  if (city && !(route && (onCar || leaning.routesFirst))) return { kind: 'city', city }
  return route && { kind: 'route', route }
}
