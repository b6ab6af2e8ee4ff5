import { describe, expect, it } from 'vitest'
import { beside, boxAround } from '../src/board/box'

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
