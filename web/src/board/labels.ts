import type { Layout } from './geometry'
import { places, type Label, type LabelOptions, type Place } from './label-places'

/** How many names may be asked to move, one because of the other. */
const PATIENCE = 2
/** How often, in all, moving others aside may be tried. */
const BUDGET = 900

/**
 * A place for as many names as possible, none on a car, a city or another name. Cities with the most routes come first;
 * a name without room left asks one already placed to move, and stays away if it can't. It stops after each name, so
 * that whoever runs it can do something else meanwhile.
 */
export function* placing(layout: Layout, options: LabelOptions): Generator<void, readonly Label[], void> {
  const routes = new Map<string, number>()
  for (const { route } of layout.routes) {
    for (const city of [route.a, route.b]) routes.set(city, (routes.get(city) ?? 0) + 1)
  }
  const find = places(layout, options)
  const open = new Map<string, readonly Place[]>()
  for (const { city } of layout.cities) {
    open.set(city.id, find(city.id))
    yield
  }
  const order = layout.cities
    .map(({ city }) => city.id)
    .filter((id) => open.get(id)!.length > 0)
    .sort((a, b) => (routes.get(b) ?? 0) - (routes.get(a) ?? 0))
  const waiting = order.toSorted((a, b) => open.get(a)!.length - open.get(b)!.length)
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
  return [...placed.values()]

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
      const worth = others.every((other) => important.get(other)! > important.get(id)! + 6)
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
  for (const id of wanted) {
    if (shown.some(({ city }) => city === id)) continue
    const inTheWay = (place: Place): readonly Label[] => shown.filter((other) => meet(place, other, options))
    const cost = (place: Place): number =>
      inTheWay(place).reduce((sum, { city }) => sum + (wanted.has(city) ? 50 : 2), place.cost)
    const [best] = find(id, true).toSorted((a, b) => cost(a) - cost(b))
    if (!best) continue
    const gone = new Set(inTheWay(best).filter(({ city }) => !wanted.has(city)))
    shown = [...shown.filter((label) => !gone.has(label)), best]
  }
  return shown
}

/** Whether two names are so near that they would read as one. */
function meet(a: Label, b: Label, { size, apart = 0.1 }: LabelOptions): boolean {
  return (
    Math.abs(a.x - b.x) * 2 < a.width + b.width + size * 0.4 &&
    Math.abs(a.y - b.y) * 2 < a.height + b.height + size * apart * 2
  )
}
