import { describe, expect, it } from 'vitest'
import { lay } from '../src/board/geometry'
import type { Label, LabelOptions } from '../src/board/label-places'
import { insisting, placing } from '../src/board/labels'
import type { Lang, MapFile } from '../src/board/map'
import { typeSize } from '../src/board/type-size'
import { both, europe, fitted } from './maps'

/** Widths as Alegreya SC and a Chinese font set them, on the wide side; the browser's own are in boxes.test.ts. */
const em: Record<Lang, number> = { en: 0.52, 'zh-Hant': 1, 'zh-Hans': 1 }

function optionsFor(map: MapFile, lang: Lang, scale: number): LabelOptions {
  const size = typeSize(lang, scale)
  return {
    size,
    measure: (text) => ([...text].length - text.split(' ').length * 0.5 + 0.5) * em[lang] * size,
    nameOf: (id) => map.cities.find((city) => city.id === id)!.name[lang],
  }
}
function place(map: MapFile, lang: Lang, scale: number, more: Partial<LabelOptions> = {}): readonly Label[] {
  const work = placing(lay(map), { ...optionsFor(map, lang, scale), ...more })
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

const langs: Lang[] = ['en', 'zh-Hant', 'zh-Hans']

describe.each(both)('names on the $id board', (map) => {
  it.each(langs)('all find a place on a desktop, in %s', (lang) => {
    for (const [width, height] of [
      [980, 600],
      [1280, 800],
      [2560, 1440],
    ] as const) {
      const have = new Set(place(map, lang, fitted(map, width, height)).map((label) => label.city))
      expect(map.cities.filter((city) => !have.has(city.id)).map((city) => city.id)).toEqual([])
    }
  })

  it('never lie on each other, at any scale', () => {
    for (const scale of [0.2, 0.325, 0.5, 0.8, 1.2, 2.5]) {
      const labels = place(map, 'en', scale)
      labels.forEach((a, i) => {
        for (const b of labels.slice(i + 1)) {
          const apart = Math.abs(a.x - b.x) * 2 >= a.width + b.width || Math.abs(a.y - b.y) * 2 >= a.height + b.height
          expect(apart, `${a.city} ${b.city} at ${scale}`).toBe(true)
        }
      })
    }
  })
})

it('shows more names the nearer one looks', () => {
  const [far, near] = [0.325, 1].map((scale) => place(europe, 'en', scale).length)
  expect(far).toBeGreaterThan(8)
  expect(near).toBeGreaterThan(far!)
})

describe.each(both)('on a phone, the $id board', (map) => {
  const scale = fitted(map, 390, 430)
  const small = { far: 1.2, apart: 0.4 }
  it.each(langs)('has no name nearer to another city than to its own, in %s', (lang) => {
    const gap = (city: { x: number; y: number }, label: Label): number =>
      Math.hypot(
        Math.max(0, Math.abs(city.x - label.x) - label.width / 2),
        Math.max(0, Math.abs(city.y - label.y) - label.height / 2),
      )
    for (const label of place(map, lang, scale, small)) {
      const [nearest] = map.cities.toSorted((a, b) => gap(a, label) - gap(b, label))
      expect(nearest!.id).toBe(label.city)
    }
  })

  it.each(langs)('names the cities of every ticket while it is pointed at, in %s', (lang) => {
    const options = { ...optionsFor(map, lang, scale), ...small }
    const calm = place(map, lang, scale, small)
    for (const { a, b } of map.tickets) {
      const shown = insisting(lay(map), options, calm, new Set([a, b]))
      expect(shown.map(({ city }) => city)).toEqual(expect.arrayContaining([a, b]))
      const [one, other] = [a, b].map((id) => shown.find(({ city }) => city === id)!) as [Label, Label]
      const apart =
        Math.abs(one.x - other.x) * 2 >= one.width + other.width ||
        Math.abs(one.y - other.y) * 2 >= one.height + other.height
      expect(apart, `${a} ${b}`).toBe(true)
    }
  })
})
