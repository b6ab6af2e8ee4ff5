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

/** How far around a place what belongs to it reaches: cars, the mark of a city. */
const AROUND = 14
const FROM_EDGE = 12

export type End = 'top' | 'bottom'
interface Size {
  readonly width: number
  readonly height: number
}

/** A note at an end of a frame, in the middle from left to right. */
function noteAt(end: End, note: Size, frame: Size): Box {
  const top = end === 'top' ? FROM_EDGE : frame.height - FROM_EDGE - note.height
  const left = (frame.width - note.width) / 2
  return { left, top, right: left + note.width, bottom: top + note.height }
}

/** The end at which a note leaves a place of the frame free, the first one sooner; null if neither does. */
export function endFor(place: Box, note: Size, frame: Size, first: End): End | null {
  const { left, top, right, bottom } = place
  if (left < 0 || top < 0 || right > frame.width || bottom > frame.height) return null
  const covers = (end: End): boolean => {
    const box = noteAt(end, note, frame)
    const across = box.left < right + AROUND && left - AROUND < box.right
    return across && box.top < bottom + AROUND && top - AROUND < box.bottom
  }
  const other = first === 'top' ? 'bottom' : 'top'
  return [first, other].find((end): end is End => !covers(end as End)) ?? null
}

/** What a note leaves of a frame, above or below it. */
export function roomBeside(end: End, note: Size, frame: Size): Box {
  const { top, bottom } = noteAt(end, note, frame)
  return { left: 0, top: end === 'top' ? bottom : 0, right: frame.width, bottom: end === 'top' ? frame.height : top }
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
