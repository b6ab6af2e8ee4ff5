import { describe, expect, it } from 'vitest'
import { clockText, paceText } from '../src/game/time'

describe('time', () => {
  it.each([
    [0, '0:00'],
    [59.2, '1:00'],
    [61, '1:01'],
    [3599, '59:59'],
    [3600, '1 h 0 min'],
    [86_399, '23 h 59 min'],
    [86_400, '1 day 0 h'],
    [2 * 86_400 + 3 * 3600 + 5, '2 days 3 h'],
  ])('reads %d seconds as one would say them', (seconds, text) => {
    expect(clockText(seconds)).toBe(text)
  })
  it('tells how long a turn may take', () => {
    expect(paceText({ kind: 'none', length: 0 })).toBe('No clock')
    expect(paceText({ kind: 'seconds', length: 60 })).toBe('60 s a turn')
    expect(paceText({ kind: 'seconds', length: 180 })).toBe('3 min a turn')
    expect(paceText({ kind: 'days', length: 1 })).toBe('1 day a turn')
  })
})
