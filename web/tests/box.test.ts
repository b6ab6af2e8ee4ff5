import { describe, expect, it } from 'vitest'
import { beside, boxAround, endFor, roomBeside } from '../src/board/box'

const frame = { width: 1000, height: 600 }
const card = { width: 300, height: 280 }
const covers = (at: { left: number; top: number }, box: ReturnType<typeof boxAround>): boolean =>
  at.left < box!.right && at.left + card.width > box!.left && at.top < box!.bottom && at.top + card.height > box!.top

describe('a card beside what it speaks of', () => {
  it.each([
    ['in the middle', 400, 300, 520, 320],
    ['at the right edge', 880, 100, 990, 240],
    ['at the left edge', 5, 300, 80, 500],
    ['from side to side at the top', 20, 30, 980, 120],
    ['from top to bottom', 480, 5, 500, 595],
    ['a single city', 700, 580, 700, 580],
  ])('does not cover it: %s', (_, left, top, right, bottom) => {
    const box = { left, top, right, bottom }
    const at = beside(box, card, frame)
    expect(covers(at, box)).toBe(false)
    expect(at.left).toBeGreaterThanOrEqual(0)
    expect(at.top).toBeGreaterThanOrEqual(0)
    expect(at.left + card.width).toBeLessThanOrEqual(frame.width)
    expect(at.top + card.height).toBeLessThanOrEqual(frame.height)
  })

  it('stays in the frame where there is no room beside it', () => {
    const at = beside({ left: 10, top: 10, right: 990, bottom: 590 }, card, frame)
    expect(at.left + card.width).toBeLessThanOrEqual(frame.width)
    expect(at.top + card.height).toBeLessThanOrEqual(frame.height)
  })
})

describe('a note at an end of the board', () => {
  const note = { width: 336, height: 77 }
  const small = { width: 360, height: 230 }
  const at = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom })

  it.each([
    ['in the middle', at(100, 110, 200, 120), 'top', 'bottom'],
    ['under the upper end', at(100, 20, 200, 60), 'bottom', 'bottom'],
    ['just below the upper end', at(100, 95, 200, 110), 'bottom', 'bottom'],
    ['under the lower end', at(100, 150, 200, 190), 'top', 'top'],
    ['from one end to the other', at(100, 40, 200, 200), null, null],
    ['out of the frame', at(-20, 110, 60, 120), null, null],
  ])('leaves free what it speaks of: %s', (_, place, fromTop, fromBottom) => {
    expect(endFor(place, note, small, 'top')).toBe(fromTop)
    expect(endFor(place, note, small, 'bottom')).toBe(fromBottom)
  })
  it('may stay where there is room beside it', () => {
    expect(endFor(at(20, 20, 200, 60), note, frame, 'top')).toBe('top')
    expect(endFor(at(400, 20, 600, 60), note, frame, 'top')).toBe('bottom')
  })
  it.each(['top', 'bottom'] as const)('leaves room above or below it: %s', (end) => {
    const room = roomBeside(end, note, small)
    const middle = { x: 180, y: (room.top + room.bottom) / 2 }
    expect(endFor(at(middle.x, middle.y, middle.x, middle.y), note, small, end)).toBe(end)
    expect(room.bottom - room.top).toBe(small.height - 12 - note.height)
  })
})
