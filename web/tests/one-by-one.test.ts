import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { oneByOne } from '../src/game/one-by-one'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('turns all cards, a pause before each', () => {
  const turned: number[] = []
  oneByOne(3, 500, (n) => turned.push(n))
  vi.advanceTimersByTime(499)
  expect(turned).toEqual([])
  vi.advanceTimersByTime(501)
  expect(turned).toEqual([1, 2])
  vi.advanceTimersByTime(5000)
  expect(turned).toEqual([1, 2, 3])
})

it('stops when it is told to', () => {
  const turned: number[] = []
  const stop = oneByOne(3, 500, (n) => turned.push(n))
  vi.advanceTimersByTime(600)
  stop()
  vi.advanceTimersByTime(5000)
  expect(turned).toEqual([1])
})
