import { describe, expect, it } from 'vitest'
import { Atlas } from '../src/game/map-data'
import { adviceText } from '../src/game/sayings'
import type { AdviceMessage } from '../src/wire/messages'
import { europe } from './maps'

const file = europe as unknown as ConstructorParameters<typeof Atlas>[0]
const atlas = new Atlas(file)
const two = file.tickets.slice(0, 2)
const advice = (why: AdviceMessage['why']): AdviceMessage => ({
  is: 'advice',
  id: 'a',
  ask: 1,
  action: { is: 'draw', slot: null },
  why,
})

describe('advice', () => {
  it('names the tickets it serves', () => {
    const tickets = two.map(({ a, b }) => `${a}-${b}`)
    const text = adviceText(advice({ reason: 'collect', tickets }), atlas, [], [])
    expect(text).toContain('draw from the deck')
    for (const { a, b } of two) {
      expect(text).toContain(`${atlas.cityName(a, 'en')} – ${atlas.cityName(b, 'en')}`)
    }
  })
  it('says who is near and what would be lost', () => {
    const [one, other] = two.map(({ a, b }) => `${a}-${b}`) as [string, string]
    const why = { reason: 'join-tickets', tickets: [one], near: [0, 2], lost: { [one]: 2, [other]: null } }
    const text = adviceText(advice(why), atlas, [], ['Ada', 'me', 'Bo'])
    const [a, b] = two.map((ticket) => `${atlas.cityName(ticket.a, 'en')} – ${atlas.cityName(ticket.b, 'en')}`)
    expect(text).toContain(
      `Ada and Bo are near: without this route ${a} would take 2 cars more, your cars could no longer join ${b}.`,
    )
  })
  it('fears nothing where nothing is said to be feared', () => {
    const tickets = [`${two[0]!.a}-${two[0]!.b}`]
    expect(adviceText(advice({ reason: 'join-tickets', tickets }), atlas, [], [])).not.toContain('near')
  })
  it('says what is to be feared also where no ticket comes nearer', () => {
    const one = `${two[0]!.a}-${two[0]!.b}`
    const text = adviceText(advice({ reason: 'points', near: [0], lost: { [one]: null } }), atlas, [], ['Ada'])
    expect(text).toContain('A bot would draw from the deck. Ada is near: without this route')
  })
  it('names the route that a card helps to pay', () => {
    const text = adviceText(advice({ reason: 'collect', route: 'brest-dieppe' }), atlas, [], [])
    expect(text).toBe('A bot would draw from the deck. It helps to pay for Brest – Dieppe.')
  })
  it('tells the points of a route that brings no ticket nearer, unless one would be lost without it', () => {
    const claim = { is: 'claim', route: 'brest-dieppe', payment: { colour: 'wild', wilds: 2 } } as never
    const why = { reason: 'points', route: 'brest-dieppe' }
    const said = (more: object) => adviceText({ ...advice({ ...why, ...more }), action: claim }, atlas, [], ['Ada'])
    expect(said({})).toBe('A bot would claim Brest – Dieppe. It brings no ticket nearer, and scores 2 points.')
    const one = `${two[0]!.a}-${two[0]!.b}`
    expect(said({ near: [0], lost: { [one]: 2 } })).not.toContain('scores')
    expect(said({ reason: 'join-tickets', tickets: [one] })).not.toContain('scores')
  })
  it('is short where no ticket is concerned', () => {
    expect(adviceText(advice({ reason: 'points' }), atlas, [], [])).toBe('A bot would draw from the deck.')
  })
})
