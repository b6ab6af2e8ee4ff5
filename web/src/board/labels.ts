import type { Point } from './curve'
import type { Layout } from './geometry'
import { gapTo, places, type Label, type LabelOptions, type Place } from './label-places'

/** How many names may be asked to move, one because of the other. */
const PATIENCE = 2
/** How often, in all, moving others aside may be tried. */
const BUDGET = 900

/**
 * A place for as many names as possible, none on a car, a city or another name. Those that matter most come first, then
 * cities with the most routes; a name without room left asks one already placed to move, and stays away if it can't. What
 * must not be missing is shown all the same, on a space if need be. It stops after each name, so that whoever runs it can
 * do something else meanwhile.
 */
export function* placing(layout: Layout, options: LabelOptions): Generator<void, readonly Label[], void> {
  const routes = neighbours(layout)
  const first = (id: string): number => (options.first?.has(id) ? 1 : 0)
  const find = places(layout, options)
  const open = new Map<string, readonly Place[]>()
  for (const { city } of layout.cities) {
    open.set(city.id, find(city.id))
    yield
  }
  const order = layout.cities
    .map(({ city }) => city.id)
    .filter((id) => open.get(id)!.length > 0)
    .sort((a, b) => first(b) - first(a) || routes.get(b)! - routes.get(a)!)
  const waiting = order.toSorted((a, b) => first(b) - first(a) || open.get(a)!.length - open.get(b)!.length)
  const important = new Map(order.map((id, i) => [id, i]))
  const placed = new Map<string, Place>()
  let budget = BUDGET
  for (const id of [...waiting, ...order]) {
    if (placed.has(id)) continue
    settle(id, PATIENCE)
    yield
  }
  // Once all are down, each takes the best place that is still free.
  for (let pass = 0; pass < 2; pass++) {
    for (const [id, at] of placed) {
      const better = open.get(id)!.find((place) => place.cost < at.cost && clashes(place).length === 0)
      if (better) placed.set(id, better)
      yield
    }
  }
  let shown: readonly Label[] = [...placed.values()]
  for (const { city } of layout.cities) {
    if (placed.has(city.id) || (!options.every && !first(city.id))) continue
    shown = insist(find, options, shown, city.id, (other) => options.every || options.first?.has(other) === true)
    yield
  }
  return shown

  function clashes(place: Place): string[] {
    const found: string[] = []
    for (const other of placed.values())
      if (other.city !== place.city && meet(place, other, options)) found.push(other.city)
    return found
  }
  function settle(id: string, patience: number): boolean {
    const mine = open.get(id)!
    for (const place of mine) {
      if (clashes(place).length === 0) {
        placed.set(id, place)
        return true
      }
    }
    if (patience === 0) return false
    for (const place of mine) {
      if (--budget < 0) return false
      const others = clashes(place)
      if (others.length > 2) continue
      const before = new Map(placed)
      for (const other of others) placed.delete(other)
      placed.set(id, place)
      if (others.every((other) => settle(other, patience - 1))) return true
      const worth = others.every((other) => !first(other) && important.get(other)! > important.get(id)! + 6)
      if (worth && patience === PATIENCE) return true
      placed.clear()
      for (const [key, value] of before) placed.set(key, value)
    }
    return false
  }
}

/**
 * Names for the cities that matter now, where they went without: on a car if there is no other place, and whatever name
 * lies in the way is not shown meanwhile. All others stay where they are.
 */
export function insisting(
  layout: Layout,
  options: LabelOptions,
  calm: readonly Label[],
  wanted: ReadonlySet<string>,
): readonly Label[] {
  const find = places(layout, options)
  let shown = calm
  for (const id of wanted)
    if (!shown.some(({ city }) => city === id)) shown = insist(find, options, shown, id, (other) => wanted.has(other))
  return shown
}

/** Adds one name where it does the least harm; those in its way go, unless they are to stay. */
function insist(
  find: ReturnType<typeof places>,
  options: LabelOptions,
  shown: readonly Label[],
  id: string,
  stays: (city: string) => boolean,
): readonly Label[] {
  const inTheWay = (place: Place): readonly Label[] => shown.filter((other) => meet(place, other, options))
  const cost = (place: Place): number =>
    inTheWay(place).reduce((sum, { city }) => sum + (stays(city) ? 50 : 2), place.cost)
  const [best] = find(id, true).toSorted((a, b) => cost(a) - cost(b))
  if (!best) return shown
  const gone = new Set(inTheWay(best).filter(({ city }) => !stays(city)))
  return [...shown.filter((label) => !gone.has(label)), best]
}

/** From a city to its name. */
export interface Leader {
  readonly city: string
  readonly from: Point
  readonly to: Point
}
/** How much nearer than any other its own city has to be for a name that nothing ties to it. */
const PLAINLY = 1.7
/** How far from its city such a name may stand, in lines, whatever else is near. */
const BY_ITSELF = 2.2
/** How far nobody doubts, in lines. */
const BESIDE = 0.55

/** A line for each name that might be taken for another city's, or for nobody's: it stands where there was room. */
export function leaders(layout: Layout, labels: readonly Label[], size: number): readonly Leader[] {
  return labels.flatMap((label) => {
    const { city, radius } = layout.cities.find((laid) => laid.city.id === label.city)!
    const own = gapTo(city, label) - radius
    if (own < size * BESIDE) return []
    const stranger = Math.min(
      ...layout.cities
        .filter((other) => other.city.id !== label.city)
        .map((other) => gapTo(other.city, label) - other.radius),
    )
    if (stranger > own * PLAINLY && own < size * BY_ITSELF) return []
    // Into the side of the letters, not past a corner of them.
    const to = {
      x: within(city.x, label.x, label.width / 2),
      y: within(city.y, label.y, label.height * 0.3),
    }
    const far = Math.hypot(to.x - city.x, to.y - city.y)
    const on = (away: number): Point => ({
      x: city.x + ((to.x - city.x) / far) * away,
      y: city.y + ((to.y - city.y) / far) * away,
    })
    return [{ city: city.id, from: on(radius), to: on(far - size * 0.12) }]
  })
}
const within = (x: number, middle: number, reach: number): number =>
  Math.min(middle + reach, Math.max(middle - reach, x))

/** How many cities each city has a route to. */
function neighbours(layout: Layout): ReadonlyMap<string, number> {
  const found = new Map(layout.cities.map(({ city }) => [city.id, new Set<string>()]))
  for (const { route } of layout.routes) {
    found.get(route.a)?.add(route.b)
    found.get(route.b)?.add(route.a)
  }
  return new Map([...found].map(([id, others]) => [id, others.size]))
}

/** The cities where most ways meet: about one in six. */
export function hubs(layout: Layout): ReadonlySet<string> {
  const count = neighbours(layout)
  const order = [...count.keys()].sort((a, b) => count.get(b)! - count.get(a)!)
  return new Set(order.slice(0, Math.ceil(order.length / 6)))
}

/** Whether two names are so near that they would read as one. */
function meet(a: Label, b: Label, { size, apart = 0.1 }: LabelOptions): boolean {
  return (
    Math.abs(a.x - b.x) * 2 < a.width + b.width + size * 0.4 &&
    Math.abs(a.y - b.y) * 2 < a.height + b.height + size * apart * 2
  )
}
