export interface Point {
  readonly x: number
  readonly y: number
}

/** A polyline with the distance from its start at each point. */
export interface Curve {
  readonly points: readonly Point[]
  readonly at: readonly number[]
  readonly length: number
}

const STEPS = 24

/** A smooth line through all the points: an arc through three, a Catmull-Rom spline through more. */
export function through(points: readonly Point[]): Curve {
  if (points.length < 3) return measure(points)
  const out: Point[] = []
  if (points.length === 3) {
    const [a, m, b] = points as [Point, Point, Point]
    const c = { x: 2 * m.x - (a.x + b.x) / 2, y: 2 * m.y - (a.y + b.y) / 2 }
    for (let i = 0; i <= STEPS * 2; i++) {
      const t = i / (STEPS * 2)
      out.push({
        x: (1 - t) ** 2 * a.x + 2 * t * (1 - t) * c.x + t * t * b.x,
        y: (1 - t) ** 2 * a.y + 2 * t * (1 - t) * c.y + t * t * b.y,
      })
    }
    return measure(out)
  }
  for (let i = 0; i + 1 < points.length; i++) {
    const p1 = points[i]!
    const p2 = points[i + 1]!
    const p0 = points[i - 1] ?? { x: 2 * p1.x - p2.x, y: 2 * p1.y - p2.y }
    const p3 = points[i + 2] ?? { x: 2 * p2.x - p1.x, y: 2 * p2.y - p1.y }
    for (let k = 0; k < STEPS; k++) {
      const t = k / STEPS
      const spline = (a: number, b: number, c: number, d: number): number =>
        0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t ** 3)
      out.push({ x: spline(p0.x, p1.x, p2.x, p3.x), y: spline(p0.y, p1.y, p2.y, p3.y) })
    }
  }
  out.push(points.at(-1)!)
  return measure(out)
}

function measure(points: readonly Point[]): Curve {
  const at = [0]
  for (let i = 1; i < points.length; i++) {
    const p = points[i - 1]!
    const q = points[i]!
    at.push(at[i - 1]! + Math.hypot(q.x - p.x, q.y - p.y))
  }
  return { points, at, length: at.at(-1)! }
}

/** The place so far along the curve, and the direction there in radians. */
export function along(curve: Curve, distance: number): Point & { angle: number } {
  const { points, at } = curve
  let i = 1
  while (i < points.length - 1 && at[i]! < distance) i++
  const p = points[i - 1]!
  const q = points[i]!
  const span = at[i]! - at[i - 1]!
  const t = span === 0 ? 0 : (distance - at[i - 1]!) / span
  return { x: p.x + t * (q.x - p.x), y: p.y + t * (q.y - p.y), angle: Math.atan2(q.y - p.y, q.x - p.x) }
}

/** The curve moved sideways, running back into its ends within `taper`. */
export function beside(curve: Curve, offset: number, taper: number): Curve {
  if (offset === 0) return curve
  const steps = Math.max(12, Math.ceil(curve.length / 8))
  const out: Point[] = []
  for (let i = 0; i <= steps; i++) {
    const distance = (curve.length * i) / steps
    const near = Math.min(distance, curve.length - distance)
    const ease = Math.sin((Math.min(1, near / taper) * Math.PI) / 2)
    const { x, y, angle } = along(curve, distance)
    out.push({ x: x - Math.sin(angle) * offset * ease, y: y + Math.cos(angle) * offset * ease })
  }
  return measure(out)
}

/** How far a point is from a line. */
export function distanceTo(curve: Curve, { x, y }: Point): number {
  let best = Infinity
  for (let i = 1; i < curve.points.length; i++) {
    const p = curve.points[i - 1]!
    const q = curve.points[i]!
    const [dx, dy] = [q.x - p.x, q.y - p.y]
    const t = Math.max(0, Math.min(1, ((x - p.x) * dx + (y - p.y) * dy) / (dx * dx + dy * dy || 1)))
    best = Math.min(best, Math.hypot(x - p.x - t * dx, y - p.y - t * dy))
  }
  return best
}

export const tidy = (n: number): number => Math.round(n * 10) / 10

export function pathOf(curve: Curve): string {
  return curve.points.map((p, i) => `${i === 0 ? 'M' : 'L'}${tidy(p.x)} ${tidy(p.y)}`).join('')
}
