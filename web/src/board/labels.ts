import type { Layout } from './geometry'
import { corners, depth } from './overlap'
import type { Point } from './curve'

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

export interface LabelOptions {
  /** Size of the type in board units. */
  readonly size: number
  /** Width of a text set at `size`. */
  readonly measure: (text: string) => number
  readonly nameOf: (city: string) => string
  /** Names that must not be cut off by the edge of what is drawn. */
  readonly bounds?: { left: number; top: number; right: number; bottom: number }
}

interface Candidate extends Label {
  readonly cost: number
}

const LINE = 1.02
const AIR = 0.12

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
  const order = layout.cities
    .map(({ city }) => city.id)
    .sort((a, b) => (routes.get(b) ?? 0) - (routes.get(a) ?? 0))
  const placed = new Map<string, Candidate>()
  const clashes = (candidate: Candidate): string[] =>
    [...placed.values()].filter((other) => other.city !== candidate.city && meet(candidate, other, options.size * AIR)).map((other) => other.city)
  const waiting = order.filter((id) => open.get(id)!.length > 0).sort((a, b) => open.get(a)!.length - open.get(b)!.length)
  const important = new Map(order.map((id, i) => [id, i]))
  for (const id of waiting) settle(id, 3)
  for (const id of order) if (!placed.has(id) && open.get(id)!.length > 0) settle(id, 3)
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
      const others = clashes(candidate)
      if (others.length > 2) continue
      const before = new Map(placed)
      for (const other of others) placed.delete(other)
      placed.set(id, candidate)
      if (others.every((other) => settle(other, patience - 1))) return true
      const worth = others.every((other) => important.get(other)! > important.get(id)! + 6)
      if (worth && patience === 3) return true
      placed.clear()
      for (const [key, value] of before) placed.set(key, value)
    }
    return false
  }
}

const meet = (a: Label, b: Label, air: number): boolean =>
  Math.abs(a.x - b.x) * 2 < a.width + b.width + air * 4 && Math.abs(a.y - b.y) * 2 < a.height + b.height + air

const boxOf = ({ x, y, width, height }: Label, air: number): Point[] => {
  const [w, h] = [width / 2 + air, height / 2 + air]
  return [
    { x: x - w, y: y - h },
    { x: x + w, y: y - h },
    { x: x + w, y: y + h },
    { x: x - w, y: y + h },
  ]
}

/** For each city the places that are free of cars and cities, best first. */
function candidates(layout: Layout, options: LabelOptions): Map<string, Candidate[]> {
  const { size, bounds } = options
  const air = size * AIR
  const cars = layout.routes.flatMap((laid) =>
    laid.spaces.map((space) => {
      // A claimed car is a little larger than its space, a tunnel's teeth more so.
      const grown = layout.scale.carWidth * (laid.route.kind === 'tunnel' ? 1.45 : 1.16)
      return { x: space.x, y: space.y, reach: (space.length + grown) / 2, shape: corners({ ...space, length: space.length * 1.06 }, grown) }
    }),
  )
  const beds = layout.routes.flatMap(({ line }) => line.points)
  const out = new Map<string, Candidate[]>()
  for (const { city, radius } of layout.cities) {
    const found: Candidate[] = []
    for (const lines of broken(options.nameOf(city.id))) {
      const width = Math.max(...lines.map(options.measure))
      const height = size * (0.86 + (lines.length - 1) * LINE)
      for (const [step, away] of [0.2, 0.55, 0.95, 1.4, 1.9].entries()) {
        const gap = radius * 1.22 + size * away * 0.5
        for (let turn = 0; turn < 24; turn++) {
          const angle = (turn * Math.PI) / 12
          const [ux, uy] = [Math.cos(angle), Math.sin(angle)]
          // The box touches a circle about the city, on the side the angle says.
          const x = city.x + ux * gap + (width / 2) * smooth(ux)
          const y = city.y + uy * gap + (height / 2) * smooth(uy)
          const label = { city: city.id, lines, x, y, width, height }
          if (bounds && (x - width / 2 < bounds.left || x + width / 2 > bounds.right || y - height / 2 < bounds.top || y + height / 2 > bounds.bottom)) continue
          const box = boxOf(label, air)
          const far = Math.hypot(width, height) / 2 + air * 2
          const onCar = cars.some((car) => Math.hypot(car.x - x, car.y - y) < far + car.reach && depth(box, car.shape) > 0)
          if (onCar) continue
          const onCity = layout.cities.some((other) => {
            const dx = Math.max(0, Math.abs(other.city.x - x) - width / 2)
            const dy = Math.max(0, Math.abs(other.city.y - y) - height / 2)
            return Math.hypot(dx, dy) < other.radius * 1.15
          })
          if (onCity) continue
          const crossed = beds.filter((p) => Math.abs(p.x - x) < width / 2 && Math.abs(p.y - y) < height / 2).length
          // Nearer to a stranger than to its own city, a name would mislead.
          const rival = layout.cities.some((other) => other.city.id !== city.id && gapTo(other.city, label) < gapTo(city, label) * 1.2)
          // Beside or plainly above and below reads best; corners a little less.
          const slant = Math.min(Math.abs(ux), Math.abs(uy))
          found.push({ ...label, cost: step * 2.2 + slant * 1.4 + (uy > 0.5 ? 0.3 : 0) + (ux < -0.5 ? 0.4 : 0) + Math.min(4, crossed * 0.35) + (lines.length - 1) * 1.5 + (rival ? 9 : 0) })
        }
      }
    }
    found.sort((a, b) => a.cost - b.cost)
    out.set(city.id, found.slice(0, 60))
  }
  return out
}

const gapTo = (point: Point, label: Label): number =>
  Math.hypot(
    Math.max(0, Math.abs(point.x - label.x) - label.width / 2),
    Math.max(0, Math.abs(point.y - label.y) - label.height / 2),
  )

const smooth = (u: number): number => Math.sign(u) * Math.min(1, Math.abs(u) * 1.35)

/** A name in one line, and broken near its middle if it has several words. */
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
  return [[name], [words.slice(0, at.i).join(' '), words.slice(at.i).join(' ')]]
}
