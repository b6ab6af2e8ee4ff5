import type { Point } from './curve'
import type { LaidRoute, Layout, Space } from './geometry'

/** The four corners of a car lying on a space. */
export function corners({ x, y, angle, length }: Space, width: number): Point[] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  const [l, w] = [length / 2, width / 2]
  return [
    [-l, -w],
    [l, -w],
    [l, w],
    [-l, w],
  ].map(([u, v]) => ({ x: x + u! * c - v! * s, y: y + u! * s + v! * c }))
}

/** How deep two convex shapes lie in each other; 0 when they are apart. */
export function depth(a: readonly Point[], b: readonly Point[]): number {
  let least = Infinity
  for (const shape of [a, b]) {
    for (let i = 0; i < shape.length; i++) {
      const p = shape[i]!
      const q = shape[(i + 1) % shape.length]!
      const size = Math.hypot(q.x - p.x, q.y - p.y) || 1
      const [nx, ny] = [(p.y - q.y) / size, (q.x - p.x) / size]
      const span = (points: readonly Point[]): [number, number] => {
        let [low, high] = [Infinity, -Infinity]
        for (const point of points) {
          const d = point.x * nx + point.y * ny
          if (d < low) low = d
          if (d > high) high = d
        }
        return [low, high]
      }
      const [aLow, aHigh] = span(a)
      const [bLow, bHigh] = span(b)
      const shared = Math.min(aHigh, bHigh) - Math.max(aLow, bLow)
      if (shared <= 0) return 0
      if (shared < least) least = shared
    }
  }
  return least
}

const disc = ({ x, y }: Point, radius: number): Point[] =>
  Array.from({ length: 12 }, (_, i) => ({
    x: x + radius * Math.cos((i * Math.PI) / 6),
    y: y + radius * Math.sin((i * Math.PI) / 6),
  }))

export interface Overlap {
  readonly route: string
  /** A route or a city. */
  readonly other: string
  readonly depth: number
}

/** Every car that lies on another route's car or on a city, deepest first. */
export function overlaps(layout: Layout, only?: ReadonlySet<string>): Overlap[] {
  const { carWidth } = layout.scale
  const shapes = layout.routes.map((laid) =>
    laid.spaces.map((space) => corners(space, carWidth * (laid.route.kind === 'tunnel' ? 1.25 : 1))),
  )
  const found: Overlap[] = []
  const near = (p: LaidRoute, q: LaidRoute): boolean =>
    Math.hypot(p.middle.x - q.middle.x, p.middle.y - q.middle.y) < (p.line.length + q.line.length) / 2 + carWidth
  layout.routes.forEach((laid, i) => {
    const mine = !only || only.has(laid.route.id)
    layout.routes.slice(i + 1).forEach((other, k) => {
      if ((!mine && !only?.has(other.route.id)) || !near(laid, other)) return
      let worst = 0
      for (const a of shapes[i]!) for (const b of shapes[i + 1 + k]!) worst = Math.max(worst, depth(a, b))
      if (worst > 0) found.push({ route: laid.route.id, other: other.route.id, depth: worst })
    })
    if (!mine) return
    for (const { city, radius } of layout.cities) {
      let worst = 0
      for (const a of shapes[i]!) worst = Math.max(worst, depth(a, disc(city, radius)))
      if (worst > 0) found.push({ route: laid.route.id, other: city.id, depth: worst })
    }
  })
  return found.sort((a, b) => b.depth - a.depth)
}
