/** What a person at a table points at, picks or is about to build, and what of it shines on the board. */
import type { Highlight, Tie } from '../board/highlight'
import type { City, Route } from '../board/map'
import { Lamp } from './lamp.svelte'
import { lightOf, since } from './lights'
import { paymentsFor } from './payments'
import type { Scene } from './scene.svelte'
import { asksFirst } from './settings.svelte'

const none: ReadonlySet<string> = new Set()

export class Pointing {
  route = $state.raw<Route | null>(null)
  /** A station is being built, in a city once one is chosen. */
  building = $state.raw<{ readonly city: string | null } | null>(null)
  /** The route that this station would borrow. */
  borrow = $state<string | null>(null)
  /** What is pointed at beside the board. */
  readonly lamp = new Lamp()
  hover = $state.raw<{ route: Route } | { city: City } | null>(null)
  /** The offered tickets that are meant to be kept. */
  kept = $state.raw<ReadonlySet<string>>(none)
  /** What the final count tells of just now. */
  counted = $state.raw<Highlight | null>(null)

  constructor(private readonly scene: Scene) {}

  get claimable(): ReadonlySet<string> {
    return this.building ? none : this.scene.claimable
  }
  /** A ticket's way must not drown among the routes that can be claimed. */
  get marked(): ReadonlySet<string> {
    return this.lamp.over?.is === 'ticket' ? none : this.claimable
  }
  /** Whether a card beside the board is open. */
  get dealing(): boolean {
    const { stage, choosing, asking, hidden } = this.scene
    return !hidden && (stage.tunnel !== null || choosing || (this.building !== null && asking) || this.route !== null)
  }
  /** Whether a city for a station is sought: any on the board, so that nothing may lie on it. */
  get seeking(): boolean {
    return this.dealing && this.scene.stage.tunnel === null && !this.scene.choosing && this.building?.city === null
  }
  get hinted(): number | 'deck' | 'tickets' | null {
    const { advice } = this.scene.stage
    return advice?.is === 'draw' ? (advice.slot ?? 'deck') : advice?.is === 'tickets' ? 'tickets' : null
  }
  private get ticket(): string | null {
    return this.lamp.mark?.is === 'ticket' ? this.lamp.mark.id : null
  }

  readonly lit = $derived.by((): Highlight | null => {
    const { scene, building, lamp, route } = this
    const { atlas, stage } = scene
    if (this.counted) return this.counted
    if (scene.hidden) return null
    if (lamp.over) return lightOf(lamp.over, scene)
    if (stage.joy) {
      const { a, b } = atlas.ticket(stage.joy.ticket)
      return { cities: new Set([a, b]), routes: new Set(stage.joy.path), done: true }
    }
    if (building)
      return {
        cities: new Set(building.city ? [building.city] : scene.view.choices.cities),
        routes: new Set(this.borrow ? [this.borrow] : []),
      }
    // The route whose card is open.
    if (route) return lightOf({ is: 'place', id: route.id }, scene)
    if (lamp.pinned) return lightOf(lamp.pinned, scene)
    if (scene.choosing)
      return {
        cities: new Set((scene.own?.offer ?? []).flatMap((id) => [atlas.ticket(id).a, atlas.ticket(id).b])),
        routes: none,
      }
    if (stage.advice?.is === 'claim') return { cities: none, routes: new Set([stage.advice.route]), done: true }
    if (stage.advice?.is === 'build') return { cities: new Set([stage.advice.city]), routes: none, done: true }
    if (stage.saving) return { cities: none, routes: new Set([stage.saving]), faint: true }
    return null
  })
  readonly ties = $derived.by((): readonly Tie[] => {
    const { scene } = this
    if (!scene.choosing || this.ticket) return []
    return (scene.own?.offer ?? []).map((id) => {
      const { a, b, points } = scene.atlas.ticket(id)
      return { id, a, b, text: String(points), chosen: this.kept.has(id) }
    })
  })
  /** The cities of one's tickets, kept or on offer; `reached` where every one of them is done. */
  readonly ends = $derived.by((): { readonly all: ReadonlySet<string>; readonly reached: ReadonlySet<string> } => {
    const { own, kept, atlas, outlooks } = this.scene
    const tickets = [...kept, ...(own?.offer ?? [])]
    const cities = (ids: readonly string[]): Set<string> =>
      new Set(ids.flatMap((id) => [atlas.ticket(id).a, atlas.ticket(id).b]))
    const open = cities(tickets.filter((id) => !outlooks.get(id)?.completed))
    const all = cities(tickets)
    return { all, reached: new Set([...all].filter((city) => !open.has(city))) }
  })
  /** What others did since one's last turn. */
  readonly since = $derived.by(() => since(this.scene.live.entries, this.scene.live.seat, this.scene.view))
  /** What a board too small for the whole map opens at: one's tickets and routes, what others did last. */
  get about(): readonly string[] {
    const { view, live } = this.scene
    const mine = Object.keys(view.owners).filter((id) => view.owners[id] === live.seat)
    return [...this.ends.all, ...mine, ...this.since.places]
  }

  pick(route: Route): void {
    const { scene } = this
    if (scene.hidden || scene.choosing || this.building) return
    const payments = scene.asking ? paymentsFor(scene.view.choices, route.id) : []
    if (payments.length === 1 && !asksFirst() && route.kind !== 'tunnel')
      void scene.live.act({ is: 'claim', route: route.id, payment: payments[0]! })
    else this.route = route
  }
  pickCity(city: City): void {
    if (this.building) this.building = { city: city.id }
  }
  /** Begins to build a station, or thinks better of it. */
  toggleStation(): void {
    this.route = null
    this.lamp.off()
    this.building = this.building ? null : { city: null }
  }
}
