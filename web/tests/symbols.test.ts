import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { PATTERN, SEAT_COLOURS } from '../src/board/seats'
import { signOf, SIGNS } from '../src/board/symbols'
import { both } from './maps'

it.each(both)('gives each card colour of $id its own sign', (map) => {
  const colours = Object.keys(map.cards).filter((colour) => colour !== 'wild')
  expect(new Set(colours.map(signOf)).size).toBe(colours.length)
})

it('has a sign for a colour nobody has heard of', () => {
  expect(SIGNS[signOf('turquoise')]).toBeTruthy()
})

it('gives each seat its own pattern', () => {
  expect(new Set(SEAT_COLOURS.map((colour) => PATTERN[colour])).size).toBe(SEAT_COLOURS.length)
})

it('has paint for every card and seat colour, by day', () => {
  const css = readFileSync(new URL('../src/theme/tokens.css', import.meta.url), 'utf8')
  for (const map of both) {
    for (const colour of [...Object.keys(map.cards).filter((c) => c !== 'wild'), 'grey']) {
      expect(css).toContain(`--card-${colour}:`)
      expect(css).toContain(`--on-${colour}:`)
    }
  }
  for (const colour of SEAT_COLOURS) expect(css).toContain(`--seat-${colour}:`)
})

it('keeps the coastlines small', () => {
  for (const map of both) {
    const file = readFileSync(new URL(`../../src/branchline/maps/geography/${map.id}.json`, import.meta.url))
    expect(file.length).toBeLessThan(60_000)
  }
})
