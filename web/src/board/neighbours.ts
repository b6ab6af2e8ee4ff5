import type { LaidRoute, Layout } from './geometry'

const WAYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** The route one reaches from another with an arrow key: near, and mostly in that direction. */
export function nextRoute(layout: Layout, from: LaidRoute, key: string): LaidRoute | null {
  const way = WAYS[key]
  if (!way) return null
  let best: LaidRoute | null = null
  let least = Infinity
  for (const to of layout.routes) {
    const [dx, dy] = [to.middle.x - from.middle.x, to.middle.y - from.middle.y]
    const ahead = dx * way[0] + dy * way[1]
    const aside = Math.abs(dx * way[1] + dy * way[0])
    if (to === from || ahead <= 0.5 || aside > ahead * 2.2) continue
    const far = ahead + aside * 1.6
    if (far < least) [best, least] = [to, far]
  }
  return best
}
