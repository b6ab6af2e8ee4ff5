import type { Box } from './box'
import type { Point } from './curve'
import type { Layout } from './geometry'
import { FLAG, STATION } from './seats'

/** A city's name where it may be read: lines of text about a middle. */
export interface Label {
  readonly city: string
  readonly lines: readonly string[]
  /** Middle of the box. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Place extends Label {
  readonly cost: number
}

export interface LabelOptions {
  /** Size of the type in board units. */
  readonly size: number
  /** Width of a text set at `size`. */
  readonly measure: (text: string) => number
  readonly nameOf: (city: string) => string
  /** Names that must not be cut off by the edge of what is drawn. */
  readonly bounds?: Box
  /** The board is large enough for every name: one that might be taken for another city's is better than none. */
  readonly every?: boolean
  /** Cities whose names come first and never give way: ends of one's tickets, and hubs. */
  readonly first?: ReadonlySet<string>
  /** How far from its city a name may stand, in lines. */
  readonly far?: number
  /** How far above one another two names stand at least, in lines. */
  readonly apart?: number
  /** Cities that carry a flag. */
  readonly flags?: ReadonlySet<string>
  /** Cities where a station stands, which is larger than the city. */
  readonly stations?: ReadonlySet<string>
}

const LINE = 1.02
const AIR = 0.1
const ENOUGH = 36
const TURNS = Array.from({ length: 32 }, (_, i) => ({
  ux: Math.cos((i * Math.PI) / 16),
  uy: Math.sin((i * Math.PI) / 16),
}))
/** Distances of a name from its city that are tried, in lines. */
const AWAY = [0.08, 0.3, 0.55, 0.85, 1.2, 1.6, 2.05, 2.55, 3.1, 3.7]
/** What it costs to lie on a car or a city, or to be taken for another city's, where a name has to be shown. */
const SPOILT = { car: 3, city: 10, stranger: 12 }

/** A car as a turned box: half its length and width, and its direction. */
interface Turned extends Point {
  readonly l: number
  readonly w: number
  readonly c: number
  readonly s: number
}

/** Whether an upright box about x, y touches a turned one: they are apart if one of four axes parts them. */
function touches(x: number, y: number, hx: number, hy: number, car: Turned): boolean {
  const dx = car.x - x
  const dy = car.y - y
  const c = Math.abs(car.c)
  const s = Math.abs(car.s)
  return (
    Math.abs(dx) < hx + car.l * c + car.w * s &&
    Math.abs(dy) < hy + car.l * s + car.w * c &&
    Math.abs(dx * car.c + dy * car.s) < car.l + hx * c + hy * s &&
    Math.abs(dy * car.c - dx * car.s) < car.w + hx * s + hy * c
  )
}

/**
 * Finds the places of a city's name that are free of cars and cities, best first; `anyhow` also those that are not, after
 * all others.
 */
export function places(layout: Layout, options: LabelOptions): (city: string, anyhow?: boolean) => readonly Place[] {
  const { size, bounds, far = AWAY.at(-1)! } = options
  const air = size * AIR
  const distances = AWAY.filter((away) => away <= far)
  const allCars = layout.routes.flatMap((laid) =>
    laid.spaces.map(({ x, y, angle, length }): Turned => {
      // A piece is larger than its slot and has an outline, a tunnel's teeth reach further still.
      const grown = layout.scale.carWidth * (laid.route.kind === 'tunnel' ? 1.52 : 1.28)
      return { x, y, l: length * 0.53 + layout.scale.gap * 0.25, w: grown / 2, c: Math.cos(angle), s: Math.sin(angle) }
    }),
  )
  const houses = layout.cities
    .filter(({ city }) => options.stations?.has(city.id))
    .map(({ city, radius }): Turned => {
      const unit = radius * STATION.scale(city.attraction)
      const { x, top, bottom } = STATION
      return {
        x: city.x,
        y: city.y - radius * STATION.lift + ((top + bottom) / 2) * unit,
        l: x * unit,
        w: ((bottom - top) / 2) * unit,
        c: 1,
        s: 0,
      }
    })
  const flags = layout.cities
    .filter(({ city }) => options.flags?.has(city.id))
    .map(({ city, radius }): Turned => {
      const { left, top, right, bottom } = FLAG.box
      const unit = radius / 10
      return {
        x: city.x + ((left + right) / 2) * unit,
        y: city.y + ((top + bottom) / 2) * unit,
        l: ((right - left) / 2) * unit,
        w: ((bottom - top) / 2) * unit,
        c: 1,
        s: 0,
      }
    })
  const allBeds = layout.routes.flatMap(({ line }) => line.points)

  return (id, anyhow = false) => {
    const { city, radius } = layout.cities.find((laid) => laid.city.id === id)!
    const found: Place[] = []
    // On a large board, where every other name is there, one without room may lean to a neighbour.
    for (const trust of anyhow ? [0] : options.every ? [1.15, 0.8, 0.6] : [1.15]) {
      if (found.length > 0) break
      for (const lines of broken(options.nameOf(id))) look(lines, trust)
    }
    found.sort((a, b) => a.cost - b.cost)
    return unlike(found, size * 0.6).slice(0, 26)

    function look(lines: readonly string[], trust: number): void {
      const width = Math.max(...lines.map(options.measure))
      const height = size * (0.86 + (lines.length - 1) * LINE)
      const [hx, hy] = [width / 2 + air, height / 2 + air]
      // What lies far off need not be asked twenty dozen times.
      const reach = width + height + radius * 1.2 + size * distances.at(-1)!
      const near = <T extends Point>(all: readonly T[], more: number): T[] =>
        all.filter((p) => Math.abs(p.x - city.x) < reach + more && Math.abs(p.y - city.y) < reach + more)
      const cars = near(allCars, layout.scale.carLength)
      const beds = near(allBeds, 0)
      const others = layout.cities.filter((other) => other.city.id !== id && near([other.city], reach).length > 0)
      const homes = near([...houses, ...flags], layout.scale.carLength)
      for (const away of distances) {
        // With room nearby nobody looks further.
        if (found.length > ENOUGH && !anyhow) break
        const gap = radius * (options.stations?.has(id) ? 1.6 : 1.2) + size * away
        for (const { ux, uy } of TURNS) {
          // The box touches a circle about the city, on the side the angle says.
          const x = city.x + ux * gap + (width / 2) * smooth(ux)
          const y = city.y + uy * gap + (height / 2) * smooth(uy)
          if (
            bounds &&
            (x - width / 2 < bounds.left ||
              x + width / 2 > bounds.right ||
              y - height / 2 < bounds.top ||
              y + height / 2 > bounds.bottom)
          )
            continue
          const label = { city: id, lines, x, y, width, height }
          let spoilt = 0
          for (const car of cars) {
            if (!touches(x, y, hx, hy, car)) continue
            spoilt += SPOILT.car
            if (!anyhow) break
          }
          if (spoilt > 0 && !anyhow) continue
          const own = gapTo(city, label) - radius
          if (own + radius < radius * 1.12) continue
          let stranger = Infinity
          for (const other of others) {
            const apart = gapTo(other.city, label)
            if (apart < other.radius * 1.12) spoilt += SPOILT.city
            stranger = Math.min(stranger, apart - other.radius)
          }
          if (homes.some((house) => touches(x, y, hx, hy, house))) spoilt += SPOILT.city
          if (anyhow && stranger < own * 1.15) spoilt += SPOILT.stranger
          // Nearer to a stranger than to its own city, a name would mislead; nearly so, it might.
          if (!anyhow && (spoilt > 0 || stranger < own * trust)) continue
          let crossed = 0
          for (const p of beds) if (Math.abs(p.x - x) < width / 2 && Math.abs(p.y - y) < height / 2) crossed++
          // Beside or plainly above and below reads best; corners a little less.
          const slant = Math.min(Math.abs(ux), Math.abs(uy))
          const cost =
            (own / size) * 3.2 +
            slant * 1.2 +
            (uy > 0.5 ? 0.3 : 0) +
            (ux < -0.5 ? 0.4 : 0) +
            Math.min(3, crossed * 0.3) +
            (lines.length - 1) * 1.5 +
            (stranger < own * 1.7 ? 2.5 : 0) +
            spoilt
          found.push({ ...label, cost })
        }
      }
    }
  }
}

/** The best of each neighbourhood: near twins of a place would only be refused for the same reason. */
function unlike(found: readonly Place[], apart: number): Place[] {
  const kept: Place[] = []
  for (const one of found) {
    const near = kept.some(
      (other) =>
        other.lines === one.lines && Math.abs(other.x - one.x) < apart && Math.abs(other.y - one.y) < apart * 0.6,
    )
    if (!near) kept.push(one)
  }
  return kept
}

/** How far a name is from a place. */
export const gapTo = (point: Point, label: Label): number =>
  Math.hypot(
    Math.max(0, Math.abs(point.x - label.x) - label.width / 2),
    Math.max(0, Math.abs(point.y - label.y) - label.height / 2),
  )

const smooth = (u: number): number => Math.sign(u) * Math.min(1, Math.abs(u) * 1.35)

/** A name in one line, broken near its middle if it has several words, or a word to a line if it has three. */
function broken(name: string): string[][] {
  const words = name.split(' ')
  if (words.length < 2) return [[name]]
  const at = words.reduce(
    (best, _, i) => {
      const width = Math.max(words.slice(0, i + 1).join(' ').length, words.slice(i + 1).join(' ').length)
      return i + 1 < words.length && width < best.width ? { i: i + 1, width } : best
    },
    { i: 1, width: Infinity },
  )
  const halves = [words.slice(0, at.i).join(' '), words.slice(at.i).join(' ')]
  return words.length === 3 ? [[name], halves, words] : [[name], halves]
}
