import { describe, expect, it } from 'vitest'
import { lay, type Layout } from '../src/board/geometry'
import type { Label, LabelOptions } from '../src/board/label-places'
import { hubs, insisting, leaders, placing } from '../src/board/labels'
import type { Lang, MapFile } from '../src/board/map'
import { typeSize } from '../src/board/type-size'
import { layTies } from '../src/board/ties'
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

/** How far a name is from the edge of a city, and from that of any other. */
function gaps({ cities }: Layout, label: Label): { own: number; stranger: number } {
  const apart = cities.map(({ city, radius }) => {
    const [dx, dy] = [Math.abs(city.x - label.x) - label.width / 2, Math.abs(city.y - label.y) - label.height / 2]
    return { id: city.id, gap: Math.hypot(Math.max(0, dx), Math.max(0, dy)) - radius }
  })
  const own = apart.find(({ id }) => id === label.city)!.gap
  return { own, stranger: Math.min(...apart.filter(({ id }) => id !== label.city).map(({ gap }) => gap)) }
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

/** The board's ground in pixels as the table's screen leaves it: in play, and while tickets are chosen. */
const grounds = [
  ['1024×768', 724, 611],
  ['1024×768 at the ticket choice', 724, 419],
  ['1280×800', 950, 643],
  ['1280×800 at the ticket choice', 950, 519],
  ['1366×768', 1036, 611],
  ['1366×768 at the ticket choice', 1036, 487],
] as const
describe.each(both)('every name of $id is there', (map) => {
  it.each(grounds)('on a window of %s, and none lies on another', (_, width, height) => {
    const scale = fitted(map, width, height)
    const [left, top] = [(map.size.width - width / scale) / 2, (map.size.height - height / scale) / 2]
    const bounds = { left, top, right: map.size.width - left, bottom: map.size.height - top }
    const ends = new Set(map.tickets.slice(0, 4).flatMap(({ a, b }) => [a, b]))
    for (const lang of langs) {
      const first = new Set([...hubs(lay(map)), ...ends])
      const labels = place(map, lang, scale, { every: true, bounds, first, flags: ends })
      const have = new Set(labels.map(({ city }) => city))
      expect(map.cities.filter(({ id }) => !have.has(id)).map(({ id }) => id)).toEqual([])
      labels.forEach((a, i) => {
        for (const b of labels.slice(i + 1))
          expect(
            Math.abs(a.x - b.x) * 2 >= a.width + b.width || Math.abs(a.y - b.y) * 2 >= a.height + b.height,
            `${a.city} ${b.city} in ${lang}`,
          ).toBe(true)
      })
    }
  })
})

describe.each(both)('no name of $id is in doubt', (map) => {
  const layout = lay(map)
  it.each([grounds[0], grounds[4], ['390×844', 390, 417] as const])('on a window of %s', (_, width, height) => {
    const scale = fitted(map, width, height)
    for (const lang of langs) {
      const labels = place(map, lang, scale, { every: true })
      const { size } = optionsFor(map, lang, scale)
      const tied = new Map(leaders(layout, labels, size).map((leader) => [leader.city, leader]))
      for (const label of labels) {
        const { own, stranger } = gaps(layout, label)
        const leader = tied.get(label.city)
        if (!leader) {
          const plain = own < size * 0.6 || (stranger > own * 1.5 && own < size * 2.3)
          expect(plain, `${label.city} in ${lang}: ${own} from its own city, ${stranger} from another`).toBe(true)
          continue
        }
        // It begins at the city and ends at the name.
        const { city, radius } = layout.cities.find((laid) => laid.city.id === label.city)!
        expect(Math.hypot(leader.from.x - city.x, leader.from.y - city.y)).toBeCloseTo(radius)
        expect(Math.abs(leader.to.x - label.x)).toBeLessThan(label.width / 2 + size * 0.2)
        expect(Math.abs(leader.to.y - label.y)).toBeLessThan(label.height / 2 + size * 0.2)
      }
    }
  })
})

describe.each(both)('the values of offered tickets on $id', (map) => {
  it('lie neither on a name nor on each other', () => {
    const scale = fitted(map, 724, 419)
    const names = place(map, 'en', scale, { every: true })
    const radius = typeSize('en', scale)
    for (let n = 0; n < map.tickets.length; n++) {
      const offered = [0, 1, 2, 3].map((more) => map.tickets[(n + more) % map.tickets.length]!)
      const ties = offered.map(({ a, b }) => ({ id: `${a}-${b}`, a, b, text: '9', chosen: false }))
      const laid = layTies(lay(map).cities, ties, names, radius)
      laid.forEach(({ id, at }, i) => {
        for (const { city, x, y, width, height } of names) {
          const [dx, dy] = [Math.abs(at.x - x) - width / 2, Math.abs(at.y - y) - height / 2]
          expect(Math.hypot(Math.max(0, dx), Math.max(0, dy)), `${id} on ${city}`).toBeGreaterThanOrEqual(radius)
        }
        for (const other of laid.slice(i + 1))
          expect(Math.hypot(at.x - other.at.x, at.y - other.at.y), `${id} ${other.id}`).toBeGreaterThanOrEqual(
            2 * radius,
          )
      })
    }
  })
})

describe.each(both)('on a board too small for all names, $id', (map) => {
  const scale = fitted(map, 390, 260)
  it('names its hubs and the ends of tickets, whatever gives way', () => {
    const ends = ['chinatown', 'cadiz', 'angora', 'smolensk', 'soho'].filter((id) =>
      map.cities.some((c) => c.id === id),
    )
    const first = new Set([...hubs(lay(map)), ...ends])
    const have = new Set(place(map, 'en', scale, { far: 1.2, apart: 0.4, first }).map(({ city }) => city))
    expect([...first].filter((id) => !have.has(id))).toEqual([])
  })
})

it('knows the cities where most ways meet', () => {
  expect([...hubs(lay(europe))]).toEqual(expect.arrayContaining(['paris', 'frankfurt', 'budapest']))
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
