import { describe, expect, it } from 'vitest'
import { cardsOf, leftAfter, paymentsFor, stacks } from '../src/game/payments'
import { pointsOverTime } from '../src/game/points'
import type { ChoicesJson, Entry } from '../src/wire/messages'

describe('payments', () => {
  it('are unpacked from the list a route shares with others', () => {
    const choices = {
      claims: { 'a-b': 1 },
      payments: [
        [],
        [
          ['red', 2, 1],
          [null, 0, 3],
        ],
      ],
    } as unknown as ChoicesJson
    expect(paymentsFor(choices, 'a-b')).toEqual([
      { colour: 'red', cards: 2, wilds: 1 },
      { colour: null, cards: 0, wilds: 3 },
    ])
    expect(paymentsFor(choices, 'b-c')).toEqual([])
  })
  it('tell their cards and what they leave', () => {
    expect(cardsOf({ colour: 'red', cards: 2, wilds: 1 })).toEqual(['red', 'red', 'wild'])
    expect(leftAfter({ red: 3, wild: 1 }, { colour: 'red', cards: 2, wilds: 1 })).toEqual({ red: 1, wild: 0 })
  })
  it('lay a hand out with wilds first, then in the map’s order', () => {
    expect(stacks({ red: 1, blue: 2, wild: 1, green: 0 }, ['blue', 'green', 'red', 'wild'])).toEqual([
      { colour: 'wild', n: 1 },
      { colour: 'blue', n: 2 },
      { colour: 'red', n: 1 },
    ])
  })
})

describe('points over time', () => {
  const entry = (n: number, is: Entry['is'], events: object[]): Entry =>
    ({ n, is, seat: 0, by: 'person', events, at: 0 }) as unknown as Entry
  it('grow with claims and forget what was taken back', () => {
    const claim = [{ is: 'claimed', seat: 0, points: 4 }]
    const told = pointsOverTime(
      [
        entry(1, 'start', [{ is: 'turn', seat: 0, turn: 1 }]),
        entry(2, 'act', claim),
        entry(3, 'undo', []),
        entry(4, 'act', claim),
        entry(5, 'act', [
          { is: 'turn', seat: 1, turn: 2 },
          { is: 'claimed', seat: 1, points: 1 },
        ]),
      ],
      2,
    )
    expect(told.at(-1)).toEqual({ turn: 2, points: [4, 1] })
  })
})
