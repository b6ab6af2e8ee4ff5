import type { Layout } from './geometry'
import type { Point } from './curve'
import { STATION } from './seats'

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

export interface Bounds {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export interface LabelOptions {
  /** Size of the type in board units. */
  readonly size: number
  /** Width of a text set at `size`. */
  readonly measure: (text: string) => number
  readonly nameOf: (city: string) => string
  /** Names that must not be cut off by the edge of what is drawn. */
  readonly bounds?: Bounds
  /** The board is large enough for every name: one that might be taken for another city's is better than none. */
  readonly every?: boolean
  /** Cities where a station stands, which is larger than the city. */
  readonly stations?: ReadonlySet<string>
  /** Cities that matter now: theirs come before all others. */
  readonly first?: ReadonlySet<string>
}

interface Candidate extends Label {
  readonly cost: number
}

const LINE = 1.02
const AIR = 0.1
/** How many names may be asked to move, one because of the other. */
const PATIENCE = 2
/** How often, in all, moving others aside may be tried. */
const BUDGET = 900
const ENOUGH = 36
const TURNS = Array.from({ length: 32 }, (_, i) => ({
  ux: Math.cos((i * Math.PI) / 16),
  uy: Math.sin((i * Math.PI) / 16),
}))
/** How far from its city a name may stand, in lines. */
const AWAY = [0.08, 0.3, 0.55, 0.85, 1.2, 1.6, 2.05, 2.55, 3.1, 3.7]

/**
 * A place for as many names as possible, none on a car, a city or another name. Cities with the most routes come first;
 * a name without room left asks one already placed to move, and stays away if it can't.
 */
export function placeLabels(layout: Layout, options: LabelOptions): Label[] {
  const routes = new Map<string, number>()
  for (const { route } of layout.routes) {
    for (const city of [route.a, route.b]) routes.set(city, (routes.get(city) ?? 0) + 1)
  }
  const open = candidates(layout, options)
  const rank = (id: string): number => (options.first?.has(id) ? 100 : 0) + (routes.get(id) ?? 0)
  const order = layout.cities.map(({ city }) => city.id).sort((a, b) => rank(b) - rank(a))
  const placed = new Map<string, Candidate>()
  let budget = BUDGET
  const clashes = (candidate: Candidate): string[] =>
    [...placed.values()]
      .filter((other) => other.city !== candidate.city && meet(candidate, other, options.size * AIR))
      .map((other) => other.city)
  const waiting = order
    .filter((id) => open.get(id)!.length > 0)
    .sort((a, b) => open.get(a)!.length - open.get(b)!.length)
  const important = new Map(order.map((id, i) => [id, i]))
  for (const id of order) if (options.first?.has(id) && open.get(id)!.length > 0) settle(id, 0)
  for (const id of waiting) if (!placed.has(id)) settle(id, PATIENCE)
  for (const id of order) if (!placed.has(id) && open.get(id)!.length > 0) settle(id, PATIENCE)
  // Once all are down, each takes the best place that is still free.
  for (let pass = 0; pass < 2; pass++) {
    for (const [id, at] of placed) {
      const better = open.get(id)!.find((candidate) => candidate.cost < at.cost && clashes(candidate).length === 0)
      if (better) placed.set(id, better)
    }
  }
  return [...placed.values()].map(({ city, lines, x, y, width, height }) => ({ city, lines, x, y, width, height }))

  function settle(id: string, patience: number): boolean {
    const mine = open.get(id)!
    for (const candidate of mine) {
      if (clashes(candidate).length === 0) {
        placed.set(id, candidate)
        return true
      }
    }
    if (patience === 0) return false
    for (const candidate of mine) {
      if (--budget < 0) return false
      const others = clashes(candidate)
      if (others.length > 2) continue
      const before = new Map(placed)
      for (const other of others) placed.delete(other)
      placed.set(id, candidate)
      if (others.every((other) => settle(other, patience - 1))) return true
      const worth = others.every((other) => important.get(other)! > important.get(id)! + 6)
      if (worth && patience === PATIENCE) return true
      placed.clear()
      for (const [key, value] of before) placed.set(key, value)
    }
    return false
  }
}

const meet = (a: Label, b: Label, air: number): boolean =>
  Math.abs(a.x - b.x) * 2 < a.width + b.width + air * 4 && Math.abs(a.y - b.y) * 2 < a.height + b.height + air * 2

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

/** For each city the places that are free of cars and cities, best first. */
function candidates(layout: Layout, options: LabelOptions): Map<string, Candidate[]> {
  const { size, bounds } = options
  const air = size * AIR
  const allCars = layout.routes.flatMap((laid) =>
    laid.spaces.map(({ x, y, angle, length }): Turned => {
      // A claimed car is a little larger than its space, a tunnel's teeth more so.
      const grown = layout.scale.carWidth * (laid.route.kind === 'tunnel' ? 1.62 : 1.18)
      return { x, y, l: length * 0.53, w: grown / 2, c: Math.cos(angle), s: Math.sin(angle) }
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
  const allBeds = layout.routes.flatMap(({ line }) => line.points)
  const out = new Map<string, Candidate[]>()
  for (const { city, radius } of layout.cities) {
    const found: Candidate[] = []
    // On a large board, where every other name is there, one without room may lean to a neighbour.
    for (const trust of options.every ? [1.15, 0.8, 0.6] : [1.15]) {
      if (found.length > 0) break
      for (const lines of broken(options.nameOf(city.id))) {
        const width = Math.max(...lines.map(options.measure))
        const height = size * (0.86 + (lines.length - 1) * LINE)
        // What lies far off need not be asked twenty dozen times.
        const reach = width + height + radius * 1.2 + size * AWAY.at(-1)!
        const near = <T extends Point>(all: readonly T[], more: number): T[] =>
          all.filter((p) => Math.abs(p.x - city.x) < reach + more && Math.abs(p.y - city.y) < reach + more)
        const cars = near(allCars, layout.scale.carLength)
        const beds = near(allBeds, 0)
        const cities = layout.cities.filter((other) => near([other.city], reach).length > 0)
        for (const away of AWAY) {
          // With room nearby nobody looks further.
          if (found.length > ENOUGH) break
          const gap = radius * (options.stations?.has(city.id) ? 1.6 : 1.2) + size * away
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
            if (cars.some((car) => touches(x, y, width / 2 + air, height / 2 + air, car))) continue
            const label = { city: city.id, lines, x, y, width, height }
            if (cities.some((other) => gapTo(other.city, label) < other.radius * 1.12)) continue
            if (houses.some((house) => touches(x, y, width / 2 + air, height / 2 + air, house))) continue
            // Nearer to a stranger than to its own city, a name would mislead; nearly so, it might.
            const own = gapTo(city, label) - radius
            let stranger = Infinity
            for (const other of cities)
              if (other.city.id !== city.id) stranger = Math.min(stranger, gapTo(other.city, label) - other.radius)
            if (stranger < own * trust) continue
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
              (stranger < own * 1.7 ? 2.5 : 0)
            found.push({ ...label, cost })
          }
        }
      }
    }
    found.sort((a, b) => a.cost - b.cost)
    out.set(city.id, unlike(found, size * 0.6).slice(0, 26))
  }
  return out
}

/** The best of each neighbourhood: near twins of a place would only be refused for the same reason. */
function unlike(found: readonly Candidate[], apart: number): Candidate[] {
  const kept: Candidate[] = []
  for (const one of found) {
    const near = kept.some(
      (other) =>
        other.lines === one.lines && Math.abs(other.x - one.x) < apart && Math.abs(other.y - one.y) < apart * 0.6,
    )
    if (!near) kept.push(one)
  }
  return kept
}

const gapTo = (point: Point, label: Label): number =>
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
