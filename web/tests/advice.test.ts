import { describe, expect, it, vi } from 'vitest'
import { Atlas } from '../src/game/map-data'
import { adviceText } from '../src/game/sayings'
import type { AdviceMessage } from '../src/wire/messages'
import { words } from '../src/text/text.svelte'
import { europe, newYork } from './maps'

type File = ConstructorParameters<typeof Atlas>[0]
const file = europe as unknown as File
const atlas = new Atlas(file)
const asking = { row: ['red', null], names: ['Ada', 'me', 'Bo'], mine: [] as string[], done: false }
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
    const text = adviceText(advice({ reason: 'collect', tickets }), atlas, asking)
    expect(text).toContain('draw from the deck')
    for (const { a, b } of two) {
      expect(text).toContain(`${atlas.cityName(a, 'en')} – ${atlas.cityName(b, 'en')}`)
    }
  })
  it('says who is near and what would be lost', () => {
    const [one, other] = two.map(({ a, b }) => `${a}-${b}`) as [string, string]
    const why = { reason: 'join-tickets', tickets: [one], near: [0, 2], lost: { [one]: 2, [other]: null } }
    const text = adviceText(advice(why), atlas, asking)
    const [a, b] = two.map((ticket) => `${atlas.cityName(ticket.a, 'en')} – ${atlas.cityName(ticket.b, 'en')}`)
    expect(text).toContain(
      `Ada and Bo are near: without this route ${a} would take 2 cars more, your cars could no longer join ${b}.`,
    )
  })
  it('fears nothing where nothing is said to be feared', () => {
    const tickets = [`${two[0]!.a}-${two[0]!.b}`]
    expect(adviceText(advice({ reason: 'join-tickets', tickets }), atlas, asking)).not.toContain('near')
  })
  it('says what is to be feared also where no ticket comes nearer', () => {
    const one = `${two[0]!.a}-${two[0]!.b}`
    const text = adviceText(advice({ reason: 'points', near: [0], lost: { [one]: null } }), atlas, asking)
    expect(text).toContain('A bot would draw from the deck. Ada is near: without this route')
  })
  it('names the route that a card helps to pay, and tells tickets from routes', async () => {
    const tickets = two.map(({ a, b }) => `${a}-${b}`)
    const why = { reason: 'collect', route: 'brest-dieppe', tickets: tickets.slice(0, 1) }
    const said = (more: object, slot: number | null = 0): string =>
      adviceText({ ...advice({ ...why, ...more }), action: { is: 'draw', slot } }, atlas, asking)
    const [one, other] = two.map((ticket) => `${atlas.cityName(ticket.a, 'en')} – ${atlas.cityName(ticket.b, 'en')}`)
    const card = 'A bot would take the red card. It helps to pay for the route Brest – Dieppe'
    expect(said({})).toBe(`${card}, for your ticket ${one}.`)
    expect(said({ tickets })).toBe(`${card}, for your tickets ${one} and ${other}.`)
    expect(said({ tickets: [] })).toBe(`${card}.`)
    expect(said({}, null)).toContain('draw from the deck. It collects for the route Brest – Dieppe, for your ticket')
    vi.stubGlobal('document', { documentElement: {} })
    try {
      await words.use('zh-Hant')
      expect(said({})).toMatch(/^電腦會拿紅色。這張可用來佔據布雷斯特 – 迪耶普，為的是任務卡「.+ – .+」。$/)
      words.world = 'city'
      expect(said({})).toContain('這張可用來佔領')
      words.world = 'rail'
      await words.use('zh-Hans')
      expect(said({ tickets })).toMatch(
        /^电脑会拿红色。这张可用来占领布雷斯特 – 迪耶普，为的是任务牌“.+ – .+”和“.+ – .+”。$/,
      )
    } finally {
      words.world = 'rail'
      await words.use('en')
      vi.unstubAllGlobals()
    }
  })

  const one = `${two[0]!.a}-${two[0]!.b}`
  const claims = (why: object, at = asking, map = atlas, route = 'brest-dieppe'): string =>
    adviceText(
      {
        ...advice({ reason: 'points', route, ...why }),
        action: { is: 'claim', route, payment: { colour: 'wild', wilds: 2 } } as never,
      },
      map,
      at,
    )
  it('says that a route brings no ticket nearer only where the server says so', () => {
    expect(claims({ idle: true })).toBe(
      'A bot would claim Brest – Dieppe. It brings no ticket nearer, but scores 2 points.',
    )
    expect(claims({})).toBe('A bot would claim Brest – Dieppe. It scores 2 points.')
    expect(claims({ idle: true }, { ...asking, done: true })).toBe(
      'A bot would claim Brest – Dieppe. Your tickets are done; this scores 2 points.',
    )
    expect(claims({ near: [0], lost: { [one]: 2 } })).not.toContain('scores')
    expect(claims({ reason: 'join-tickets', tickets: [one] })).not.toContain('scores')
  })
  it('names the tickets that come nearer by a detour', () => {
    const ticket = `${atlas.cityName(two[0]!.a, 'en')} – ${atlas.cityName(two[0]!.b, 'en')}`
    expect(claims({ detour: [one] })).toBe(
      `A bot would claim Brest – Dieppe. It scores 2 points. It also brings ${ticket} nearer, by a detour.`,
    )
    const [, other] = two.map(({ a, b }) => `${a}-${b}`)
    expect(claims({ reason: 'join-tickets', tickets: [other], detour: [one] })).toMatch(
      new RegExp(`That is for your ticket .+\\. It also brings ${ticket} nearer, by a detour\\.$`),
    )
  })
  it('counts the sights that a route reaches first', () => {
    const city = new Atlas(newYork as unknown as File)
    const said = (mine: string[], route: string): string => claims({ idle: true }, { ...asking, mine }, city, route)
    const route = 'lincoln-center-central-park'
    expect(said([], route)).toContain('but scores 2 points and reaches 1 new sight.')
    expect(said([], 'central-park-times-square-red')).toContain('points and reaches 2 new sights.')
    expect(said([route], 'central-park-times-square-red')).toContain('points and reaches 1 new sight.')
    expect(said(['central-park-times-square-red'], route)).toContain('but scores 2 points.')
  })
  it('is short where no ticket is concerned', () => {
    expect(adviceText(advice({ reason: 'points' }), atlas, asking)).toBe('A bot would draw from the deck.')
  })
})
