import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lay } from '../src/board/geometry'
import { both } from './maps'

interface Laid {
  readonly car_length: number
  readonly car_width: number
  readonly routes: readonly {
    twin: string | null
    line: readonly [number, number][]
    spaces: readonly [number, number, number, number][]
  }[]
}

const file = new URL('../../tests/drawing/layouts.json', import.meta.url)
const layouts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Laid>

test.each(both.map((map) => [map.id, map] as const))('%s is laid out as the library draws it', (id, map) => {
  const ours = lay(map)
  const theirs = layouts[id]!
  expect(ours.scale.carLength).toBeCloseTo(theirs.car_length, 1)
  expect(ours.scale.carWidth).toBeCloseTo(theirs.car_width, 1)
  expect(ours.routes.length).toBe(theirs.routes.length)
  ours.routes.forEach((laid, n) => {
    const other = theirs.routes[n]!
    expect(laid.twin).toBe(other.twin)
    const spaces = laid.spaces.map(({ x, y, angle, length }) => [x, y, angle, length])
    spaces.forEach((space, i) => space.forEach((value, k) => expect(value).toBeCloseTo(other.spaces[i]![k]!, 1)))
    expect(spaces.length).toBe(other.spaces.length)
    laid.line.points.forEach(({ x, y }, i) => {
      expect(Math.hypot(x - other.line[i]![0], y - other.line[i]![1])).toBeLessThan(0.1)
    })
  })
})
