import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { inTurns } from '../src/board/in-turns'

let clock = 0
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(performance, 'now').mockImplementation(() => clock)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Ten pieces of work, of two milliseconds each. */
function* work(done: number[]): Generator<void, string, void> {
  for (let piece = 0; piece < 10; piece++) {
    clock += 2
    done.push(piece)
    yield
  }
  return 'done'
}

it('does a little at a time, and all of it in the end', () => {
  const done: number[] = []
  const found: string[] = []
  inTurns(work(done), (what) => found.push(what))
  expect(done).toHaveLength(0)
  vi.advanceTimersToNextTimer()
  expect(done).toHaveLength(3)
  vi.runAllTimers()
  expect(done).toHaveLength(10)
  expect(found).toEqual(['done'])
})

it('is given up when it is no longer wanted', () => {
  const done: number[] = []
  const found: string[] = []
  const stop = inTurns(work(done), (what) => found.push(what))
  vi.advanceTimersToNextTimer()
  stop()
  vi.runAllTimers()
  expect(done).toHaveLength(3)
  expect(found).toEqual([])
})
