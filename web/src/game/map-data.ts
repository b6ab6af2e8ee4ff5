/** A map file as the server gives it, and what screens look up in it. */
import type { City, Lang, MapFile, Route } from '../board/map'
import { rest } from '../wire/rest'

export interface TicketData {
  readonly a: string
  readonly b: string
  readonly points: number
  readonly long: boolean
}

export interface MapData extends MapFile {
  readonly ruleset: Readonly<Record<string, number | boolean>>
  readonly cards: Readonly<Record<string, number>>
  readonly points: Readonly<Record<string, number>>
  readonly tickets: readonly TicketData[]
}

export class Atlas {
  readonly id: string
  private readonly cities: ReadonlyMap<string, City>
  private readonly routes: ReadonlyMap<string, Route>
  private readonly tickets: ReadonlyMap<string, TicketData>

  constructor(readonly file: MapData) {
    this.id = file.id
    this.cities = new Map(file.cities.map((city) => [city.id, city]))
    this.routes = new Map(file.routes.map((route) => [route.id, route]))
    this.tickets = new Map(file.tickets.map((ticket) => [`${ticket.a}-${ticket.b}`, ticket]))
  }

  /** Whether people ride taxis past sights here, or trains across a continent: it decides which words are used. */
  get world(): 'rail' | 'city' {
    return this.rule('attraction_points') > 0 ? 'city' : 'rail'
  }

  /** The card colours, the wild last. */
  get colours(): readonly string[] {
    return Object.keys(this.file.cards)
  }

  get stations(): number {
    return this.rule('stations')
  }

  rule(name: string): number {
    return Number(this.file.ruleset[name] ?? 0)
  }

  city(id: string): City {
    return this.cities.get(id) ?? { id, name: { en: id, 'zh-Hant': id, 'zh-Hans': id }, x: 0, y: 0 }
  }

  cityName(id: string, lang: Lang): string {
    const { name } = this.city(id)
    return name[lang] ?? name.en
  }

  route(id: string): Route | undefined {
    return this.routes.get(id)
  }

  /** The other half of a double route. */
  twin({ id, a, b }: Route): Route | null {
    const joins = (route: Route): boolean =>
      route.id !== id && ((route.a === a && route.b === b) || (route.a === b && route.b === a))
    return this.file.routes.find(joins) ?? null
  }

  ticket(id: string): TicketData {
    return this.tickets.get(id) ?? { a: id, b: id, points: 0, long: false }
  }

  /** The sights at the ends of a route that none of these routes ends at: a point each, once (R7.3). */
  newSights({ a, b }: Route, mine: readonly string[]): readonly City[] {
    if (this.world === 'rail') return []
    const reached = new Set(mine.flatMap((id) => [this.route(id)?.a, this.route(id)?.b]))
    return [a, b].map((id) => this.city(id)).filter(({ id, attraction }) => attraction && !reached.has(id))
  }

  pointsFor(length: number): number {
    return this.file.points[String(length)] ?? 0
  }
}

const loaded = new Map<string, Promise<Atlas>>()

export function loadAtlas(id: string): Promise<Atlas> {
  let found = loaded.get(id)
  if (!found) {
    found = rest.map(id).then((file) => new Atlas(file))
    loaded.set(id, found)
    found.catch(() => loaded.delete(id))
  }
  return found
}
