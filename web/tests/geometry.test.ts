import { describe, expect, it } from 'vitest'
import { lay, pairs } from '../src/board/geometry'
import type { MapFile } from '../src/board/map'
import { targetAt } from '../src/board/nearest'
import { nextRoute } from '../src/board/neighbours'
import { corners, depth, overlaps } from '../src/board/overlap'
import { both, europe, fitted } from './maps'

describe.each(both)('the $id board', (map) => {
  const layout = lay(map)

  it('has a space for every car', () => {
    for (const { route, spaces } of layout.routes) expect(spaces, route.id).toHaveLength(route.length)
  })

  it('draws cars of much the same size', () => {
    for (const { route, spaces } of layout.routes) {
      for (const { length } of spaces) {
        expect(length / layout.scale.carLength, route.id).toBeGreaterThan(0.84)
        expect(length / layout.scale.carLength, route.id).toBeLessThan(1.2)
      }
    }
  })

  it('keeps cars off other routes and off cities', () => {
    const found = overlaps(layout)
    // What is left is a corner of a rounded car under a fan of routes.
    expect(found.filter((o) => o.depth > layout.scale.carWidth * 0.14)).toEqual([])
    expect(found.filter((o) => o.depth > 0.3).length).toBeLessThanOrEqual(6)
    const cities = new Set(map.cities.map((city) => city.id))
    expect(found.filter((o) => cities.has(o.other))).toEqual([])
  })

  it('keeps the halves of a double route apart', () => {
    for (const pair of pairs(map.routes).values()) {
      const [one, two] = pair.map((route) => layout.routes.find((laid) => laid.route.id === route.id)!)
      if (!one || !two) continue
      expect(one.twin).toBe(two.route.id)
      for (const a of one.spaces) {
        for (const b of two.spaces) {
          expect(
            depth(corners(a, layout.scale.carWidth * 1.06), corners(b, layout.scale.carWidth * 1.06)),
            one.route.id,
          ).toBe(0)
        }
      }
    }
  })

  it('means the half that was pointed at', () => {
    for (const laid of layout.routes) {
      for (const space of laid.spaces) {
        const target = targetAt(layout, space, 20)
        expect(target?.kind === 'route' && target.route.route.id).toBe(laid.route.id)
      }
    }
  })

  it('means the city under the finger, and nothing far from all', () => {
    for (const { city } of layout.cities) {
      const target = targetAt(layout, city, 20)
      expect(target?.kind === 'city' && target.city.city.id).toBe(city.id)
    }
    expect(targetAt(layout, { x: -500, y: -500 }, 20)).toBeNull()
  })

  it('lets a finger on a phone choose every route that can be claimed, however short', () => {
    const reach = 26 / fitted(map, 390, 440)
    for (const { route, middle } of layout.routes) {
      const target = targetAt(layout, middle, reach, { routesFirst: true, likely: new Set([route.id]) })
      expect(target?.kind === 'route' && target.route.route.id, route.id).toBe(route.id)
    }
  })

  it('reaches every route by arrow keys', () => {
    const seen = new Set([layout.routes[0]!])
    for (const laid of seen) {
      for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) {
        const next = nextRoute(layout, laid, key)
        if (next) seen.add(next)
      }
    }
    expect(seen.size).toBe(map.routes.length)
  })
})

it('runs parallel also when a half names its cities the other way round', () => {
  const turned: MapFile = {
    ...europe,
    routes: europe.routes.map((route) =>
      route.id === 'berlin-frankfurt-red' ? { ...route, a: route.b, b: route.a } : route,
    ),
  }
  const place = (map: MapFile): number[] =>
    lay(map)
      .routes.find(({ route }) => route.id === 'berlin-frankfurt-red')!
      .spaces.flatMap(({ x, y }) => [Math.round(x), Math.round(y)])
      .sort((a, b) => a - b)
  expect(place(turned)).toEqual(place(europe))
})

it('draws any map, also one of two cities', () => {
  const name = { en: 'x', 'zh-Hant': 'x', 'zh-Hans': 'x' }
  const tiny: MapFile = {
    id: 'tiny',
    name,
    size: { width: 100, height: 100 },
    cities: [
      { id: 'a', name, x: 10, y: 10 },
      { id: 'b', name, x: 90, y: 90 },
    ],
    routes: [{ id: 'a-b', a: 'a', b: 'b', length: 3, colour: 'grey', kind: 'track', wilds: 0 }],
  }
  for (const space of lay(tiny).routes[0]!.spaces) {
    expect(space.length).toBeGreaterThan(0)
    expect(space.x).toBeGreaterThan(10)
    expect(space.x).toBeLessThan(90)
  }
})
