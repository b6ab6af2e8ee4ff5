import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PATTERN, SEAT_COLOURS } from '../src/board/seats'
import { signOf } from '../src/board/symbols'
import { both } from './maps'

type Rgb = readonly [number, number, number]

/** Machado, Oliveira and Fernandes 2009, severity 1.0: linear RGB as those without one kind of cone see it. */
const VISION: Readonly<Record<string, readonly Rgb[]>> = {
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}
/** Differences of CIE Lab below this are not told apart at a glance on a small space. */
const APART = 12

const css = readFileSync(new URL('../src/theme/tokens.css', import.meta.url), 'utf8')
function paint(name: string): Rgb {
  const hex = new RegExp(`--${name}: #([0-9a-f]{6})`).exec(css)?.[1]
  if (!hex) throw new Error(`no paint ${name}`)
  return [0, 2, 4].map((i) => linear(parseInt(hex.slice(i, i + 2), 16) / 255)) as unknown as Rgb
}
const linear = (c: number): number => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
const dot = (a: Rgb, b: Rgb): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const seen = (rgb: Rgb, rows: readonly Rgb[]): Rgb =>
  rows.map((row) => Math.min(1, Math.max(0, dot(row, rgb)))) as unknown as Rgb

function lab(rgb: Rgb): Rgb {
  const f = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116)
  const x = f(dot([0.4124, 0.3576, 0.1805], rgb) / 0.95047)
  const y = f(dot([0.2126, 0.7152, 0.0722], rgb))
  const z = f(dot([0.0193, 0.1192, 0.9505], rgb) / 1.08883)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}
const difference = (a: Rgb, b: Rgb): number => Math.hypot(...lab(a).map((v, i) => v - lab(b)[i]!))

function tooNear(names: readonly string[], prefix: string, rows: readonly Rgb[]): [string, string][] {
  return names.flatMap((a, i) =>
    names
      .slice(i + 1)
      .filter((b) => difference(seen(paint(`${prefix}${a}`), rows), seen(paint(`${prefix}${b}`), rows)) < APART)
      .map((b): [string, string] => [a, b]),
  )
}

describe.each(Object.entries(VISION))('through %s eyes', (_, rows) => {
  it.each(both)('cards of $id are apart by colour or by their sign', (map) => {
    const colours = Object.keys(map.cards).filter((colour) => colour !== 'wild')
    for (const [a, b] of tooNear(colours, 'card-', rows)) expect(signOf(a), `${a} and ${b}`).not.toBe(signOf(b))
  })
  it('seats are apart by colour or by their pattern', () => {
    for (const [a, b] of tooNear(SEAT_COLOURS, 'seat-', rows))
      expect(PATTERN[a as keyof typeof PATTERN], `${a} and ${b}`).not.toBe(PATTERN[b as keyof typeof PATTERN])
  })
  it('signs and patterns stand out from their ground', () => {
    for (const colour of new Set(both.flatMap((map) => Object.keys(map.cards)))) {
      if (colour === 'wild') continue
      const [ground, ink] = [`card-${colour}`, `on-${colour}`].map((name) => seen(onPaint(name), rows)) as [Rgb, Rgb]
      expect(difference(ground, ink), colour).toBeGreaterThan(35)
    }
    for (const seat of SEAT_COLOURS) {
      if (PATTERN[seat] === 'plain') continue
      const [ground, mark] = [`seat-${seat}`, `seat-mark-${seat}`].map((name) => seen(onPaint(name), rows)) as [
        Rgb,
        Rgb,
      ]
      expect(difference(ground, mark), seat).toBeGreaterThan(35)
    }
  })
})

/** Ink may be written short, as #fff. */
function onPaint(name: string): Rgb {
  const short = new RegExp(`--${name}: #([0-9a-f]{3});`).exec(css)?.[1]
  return short ? ([...short].map((c) => linear(parseInt(c + c, 16) / 255)) as unknown as Rgb) : paint(name)
}

/** A token as it stands in one theme; by night, what the night does not say is as by day. */
function themed(file: string, name: string, theme: 'day' | 'night'): Rgb {
  const text = readFileSync(new URL(`../src/theme/${file}.css`, import.meta.url), 'utf8')
  const [day, night] = text.split("[data-theme='night']") as [string, string]
  for (const part of theme === 'night' ? [night, day] : [day]) {
    const hex = new RegExp(`--${name}: #([0-9a-f]{6})`).exec(part)?.[1]
    if (hex) return [0, 2, 4].map((i) => linear(parseInt(hex.slice(i, i + 2), 16) / 255)) as unknown as Rgb
  }
  throw new Error(`no paint ${name}`)
}
const light = (rgb: Rgb): number => dot([0.2126, 0.7152, 0.0722], rgb)
const contrast = (a: Rgb, b: Rgb): number => {
  const [dark, bright] = [light(a), light(b)].sort((p, q) => p - q) as [number, number]
  return (bright + 0.05) / (dark + 0.05)
}
const vivid = (rgb: Rgb): number => Math.hypot(lab(rgb)[1], lab(rgb)[2])

describe.each(['day', 'night'] as const)('slots and pieces by %s', (theme) => {
  const colours = [...new Set(both.flatMap((map) => Object.keys(map.cards)))].filter((colour) => colour !== 'wild')
  const slot = (colour: string): Rgb => themed('slots', `slot-${colour}`, theme)
  it('a slot is quiet and its sign is clear', () => {
    for (const colour of [...colours, 'grey']) {
      expect(vivid(slot(colour)), colour).toBeLessThan(vivid(paint(`card-${colour}`)) * 0.65 + 12)
      expect(contrast(slot(colour), themed('slots', `slot-sign-${colour}`, theme)), colour).toBeGreaterThan(3.9)
    }
  })
  it('a slot keeps near its paper, and a piece stands off from it, in grey too', () => {
    const land = lab(themed('tokens', 'land', theme))[0]
    const edges = ['piece-edge', 'piece-rim'].map((name) => lab(themed('tokens', name, theme))[0])
    for (const colour of colours) {
      const grey = lab(slot(colour))[0]
      expect(Math.abs(grey - land), colour).toBeLessThan(30)
      // Every piece has both: one dark line and one light one.
      expect(Math.max(...edges.map((edge) => Math.abs(edge - grey))), colour).toBeGreaterThan(55)
    }
    expect(Math.abs(edges[0]! - edges[1]!)).toBeGreaterThan(85)
  })
  it("a seat's colour is not taken for the free slot of its own colour", () => {
    for (const seat of SEAT_COLOURS)
      expect(difference(themed('tokens', `seat-${seat}`, theme), slot(seat)), seat).toBeGreaterThan(
        theme === 'day' ? 24 : APART,
      )
  })
  it('a piece without a pattern is lighter or darker than every slot, as one sees it from afar and in grey', () => {
    const plain = SEAT_COLOURS.filter((seat) => PATTERN[seat] === 'plain')
    for (const seat of plain)
      for (const colour of [...colours, 'grey']) {
        const apart = lab(themed('tokens', `seat-${seat}`, theme))[0] - lab(slot(colour))[0]
        expect(Math.abs(apart), `${seat} on ${colour}`).toBeGreaterThan(25)
      }
  })
})
