import { along, type Curve, pathOf, type Point, tidy } from './curve'
import type { Scale, Space } from './geometry'

const local = (space: Space, u: number, v: number): Point => {
  const [c, s] = [Math.cos(space.angle), Math.sin(space.angle)]
  return { x: tidy(space.x + u * c - v * s), y: tidy(space.y + u * s + v * c) }
}

/** A slot is a little narrower than the piece that may come to lie on it. */
const SLOT = 0.94

/** All spaces of a route as one path of rounded rectangles, `grown` at each side. */
export function spacesPath(spaces: readonly Space[], { carWidth }: Scale, grown = 0): string {
  const r = carWidth * 0.2 + grown
  return spaces
    .map((space) => {
      const [l, w] = [space.length / 2 + grown, (carWidth * SLOT) / 2 + grown]
      const to = (u: number, v: number): string => {
        const p = local(space, u, v)
        return `${p.x} ${p.y}`
      }
      return (
        `M${to(-l + r, -w)}L${to(l - r, -w)}Q${to(l, -w)} ${to(l, -w + r)}L${to(l, w - r)}Q${to(l, w)} ${to(l - r, w)}` +
        `L${to(-l + r, w)}Q${to(-l, w)} ${to(-l, w - r)}L${to(-l, -w + r)}Q${to(-l, -w)} ${to(-l + r, -w)}Z`
      )
    })
    .join('')
}

/** The same spaces as strokes down their middle, `over` longer at both ends; a wide dashed stroke gives a tunnel its teeth. */
export function spinePath(spaces: readonly Space[], over: number): string {
  return spaces
    .map((space) => {
      const [p, q] = [local(space, -space.length / 2 - over, 0), local(space, space.length / 2 + over, 0)]
      return `M${p.x} ${p.y}L${q.x} ${q.y}`
    })
    .join('')
}

/** From the first car's front to the last one's back. */
export function spanPath(spaces: readonly Space[]): string {
  const points = spaces.flatMap((space) => [local(space, -space.length / 2, 0), local(space, space.length / 2, 0)])
  return points.map((p, i) => `${i === 0 ? 'M' : 'L'}${p.x} ${p.y}`).join('')
}

/** A ferry's wake: a ripple along the line. */
export function ripplePath(line: Curve, wave: number): string {
  const steps = Math.max(8, Math.round(line.length / (wave * 0.5)))
  const points = Array.from({ length: steps + 1 }, (_, i) => {
    const { x, y, angle } = along(line, (line.length * i) / steps)
    const side = i === 0 || i === steps ? 0 : (i % 2 ? 1 : -1) * wave * 0.18
    return { x: x - Math.sin(angle) * side, y: y + Math.cos(angle) * side }
  })
  let d = `M${tidy(points[0]!.x)} ${tidy(points[0]!.y)}`
  for (let i = 1; i < points.length - 1; i++) {
    const p = points[i]!
    const q = points[i + 1]!
    d += `Q${tidy(p.x)} ${tidy(p.y)} ${tidy((p.x + q.x) / 2)} ${tidy((p.y + q.y) / 2)}`
  }
  return d
}

export { pathOf }
