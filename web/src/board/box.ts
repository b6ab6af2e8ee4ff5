import type { Point } from './curve'

export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** The smallest box around some points; null around none. */
export function boxAround(points: readonly Point[]): Box | null {
  if (points.length === 0) return null
  const xs = points.map(({ x }) => x)
  const ys = points.map(({ y }) => y)
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
}

const GAP = 28
const EDGE = 8

/** Where a card of some size stands within a frame so that it covers as little as may be of what it speaks of. */
export function beside(
  box: Box,
  card: { readonly width: number; readonly height: number },
  frame: { readonly width: number; readonly height: number },
): { left: number; top: number } {
  const within = (at: { left: number; top: number }): { left: number; top: number } => ({
    left: Math.max(EDGE, Math.min(frame.width - card.width - EDGE, at.left)),
    top: Math.max(EDGE, Math.min(frame.height - card.height - EDGE, at.top)),
  })
  const middle = {
    left: (box.left + box.right) / 2 - card.width / 2,
    top: (box.top + box.bottom) / 2 - card.height / 3,
  }
  const places = [
    { ...middle, left: box.right + GAP },
    { ...middle, left: box.left - GAP - card.width },
    { ...middle, top: box.top - GAP - card.height },
    { ...middle, top: box.bottom + GAP },
  ].map(within)
  // A straight route has a box of no width, which nothing could cover.
  const covered = ({ left, top }: { left: number; top: number }): number =>
    Math.max(0, Math.min(left + card.width, box.right + 1) - Math.max(left, box.left - 1)) *
    Math.max(0, Math.min(top + card.height, box.bottom + 1) - Math.max(top, box.top - 1))
  return places.reduce((best, place) => (covered(place) < covered(best) ? place : best))
}
