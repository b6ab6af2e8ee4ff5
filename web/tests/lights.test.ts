import { describe, expect, it } from 'vitest'
import { lightOf, since } from '../src/game/lights'
import { Atlas, type MapData } from '../src/game/map-data'
import type { Entry, Outlook } from '../src/wire/messages'
import { europe } from './maps'

const atlas = new Atlas(europe as unknown as MapData)
const view = {
  owners: { 'brest-dieppe': 1, 'paris-zurich': 0, 'amsterdam-essen': 1 },
  closed: ['brest-paris'],
  stations: { wien: 1, roma: 2 },
}
const known = { atlas, view, outlooks: new Map() }

describe('what is pointed at beside the board', () => {
  it('as a player lights their routes and stations, and nobody else’s', () => {
    const { routes, cities } = lightOf({ is: 'seat', seat: 1 }, known)
    expect([...routes].sort()).toEqual(['amsterdam-essen', 'brest-dieppe'])
    expect([...cities]).toEqual(['wien'])
  })
  it('as a colour lights its free routes, not closed ones and not claimed ones', () => {
    const { routes } = lightOf({ is: 'colour', colour: 'black' }, known)
    expect(routes.size).toBeGreaterThan(3)
    for (const id of routes) expect(atlas.route(id)!.colour).toBe('black')
    expect(routes.has('brest-paris')).toBe(false)
    expect(lightOf({ is: 'colour', colour: 'orange' }, known).routes.has('brest-dieppe')).toBe(false)
  })
  it('as a wild lights what asks for wilds', () => {
    for (const id of lightOf({ is: 'colour', colour: 'wild' }, known).routes)
      expect(atlas.route(id)!.wilds).toBeGreaterThan(0)
  })
  it('as a line of the log lights its route with both ends, or its city', () => {
    const { routes, cities } = lightOf({ is: 'place', id: 'paris-zurich' }, known)
    expect([...routes]).toEqual(['paris-zurich'])
    expect([...cities].sort()).toEqual(['paris', 'zurich'])
    expect([...lightOf({ is: 'place', id: 'wien' }, known).cities]).toEqual(['wien'])
  })
  it('as a ticket lights its way, and in another tone when it is done', () => {
    const way = { routes: ['paris-zurich'], claim: [], spaces: 3 }
    const outlook: Outlook = {
      ticket: 'paris-wien',
      points: 8,
      completed: false,
      path: ['munchen-wien'],
      borrowed: [],
      way,
      station: false,
    }
    const shown = (one: Outlook) =>
      lightOf({ is: 'ticket', id: 'paris-wien' }, { ...known, outlooks: new Map([['paris-wien', one]]) })
    expect([...shown(outlook).routes]).toEqual(['paris-zurich'])
    expect(shown(outlook).done).toBe(false)
    const done = shown({ ...outlook, completed: true })
    expect([...done.routes]).toEqual(['munchen-wien'])
    expect(done.done).toBe(true)
  })
})

describe('what others did since my last turn', () => {
  const act = (n: number, seat: number, ...events: unknown[]): Entry => ({ n, is: 'act', seat, events }) as never
  const claimed = (seat: number, route: string): unknown => ({ is: 'claimed', seat, route })
  const log = [
    act(1, 1, claimed(1, 'amsterdam-essen')),
    act(2, 0, claimed(0, 'paris-zurich')),
    act(3, 1, claimed(1, 'brest-dieppe')),
    act(4, 2, { is: 'built', seat: 2, city: 'roma' }),
    act(5, 2, claimed(2, 'sochi-rostov')),
  ]
  it('is what they claimed and built after it, and still have', () => {
    const found = since(log, 0, view)
    expect(found.n).toBe(2)
    expect([...found.places].sort()).toEqual(['brest-dieppe', 'roma'])
  })
  it('is nothing once I have acted, and nothing to a spectator', () => {
    expect(since([...log, act(6, 0)], 0, view).places.size).toBe(0)
    expect(since(log, null, view).places.size).toBe(0)
  })
})
