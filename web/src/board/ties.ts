/** Tickets on offer as lines between their cities, each with its value where that can be read. */
import type { Point } from './curve'
import type { LaidCity } from './geometry'
import type { Tie } from './highlight'
import type { Label } from './label-places'

export interface LaidTie extends Tie {
  readonly d: string
  /** Where the value stands. */
  readonly at: Point
}

/** Places for the value along the line, the middle first. */
const ALONG = [0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7, 0.25, 0.75]

/** A value, of this radius, stands as near to the middle of its line as names and other values leave room. */
export function layTies(
  cities: readonly LaidCity[],
  ties: readonly Tie[],
  names: readonly Label[],
  radius: number,
): readonly LaidTie[] {
  const laid: LaidTie[] = []
  for (const tie of ties) {
    const a = cities.find(({ city }) => city.id === tie.a)?.city
    const b = cities.find(({ city }) => city.id === tie.b)?.city
    if (!a || !b) continue
    // A little bent, so that it is not taken for a route.
    const [dx, dy] = [b.x - a.x, b.y - a.y]
    const bow = dx < 0 ? -0.14 : 0.14
    const c = { x: (a.x + b.x) / 2 + dy * bow, y: (a.y + b.y) / 2 - dx * bow }
    const along = ALONG.map((t) => ({
      x: (1 - t) ** 2 * a.x + 2 * t * (1 - t) * c.x + t ** 2 * b.x,
      y: (1 - t) ** 2 * a.y + 2 * t * (1 - t) * c.y + t ** 2 * b.y,
    }))
    const free = along.find(
      (p) =>
        !names.some((name) => covers(p, radius, name)) &&
        !laid.some(({ at }) => Math.hypot(at.x - p.x, at.y - p.y) < 2 * radius),
    )
    const d = `M${a.x} ${a.y}Q${c.x.toFixed(1)} ${c.y.toFixed(1)} ${b.x} ${b.y}`
    laid.push({ ...tie, d, at: free ?? along[0]! })
  }
  return laid
}

const covers = (p: Point, radius: number, { x, y, width, height }: Label): boolean =>
  Math.hypot(Math.max(0, Math.abs(p.x - x) - width / 2), Math.max(0, Math.abs(p.y - y) - height / 2)) < radius
