/** What a person at a table points at, picks or is about to build, and what of it shines on the board. */
import type { Highlight, Tie } from '../board/highlight'
import type { City, Route } from '../board/map'
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
  ticket = $state<string | null>(null)
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
    return this.ticket ? none : this.claimable
  }
  /** Whether a card beside the board is open. */
  get dealing(): boolean {
    const { stage, choosing, asking, hidden } = this.scene
    return !hidden && (stage.tunnel !== null || choosing || (this.building !== null && asking) || this.route !== null)
  }
  get hinted(): number | 'deck' | 'tickets' | null {
    const { advice } = this.scene.stage
    return advice?.is === 'draw' ? (advice.slot ?? 'deck') : advice?.is === 'tickets' ? 'tickets' : null
  }

  readonly lit = $derived.by((): Highlight | null => {
    const { scene, building } = this
    const { atlas, stage } = scene
    if (this.counted) return this.counted
    if (scene.hidden) return null
    if (this.ticket) {
      const { a, b } = atlas.ticket(this.ticket)
      const score = scene.done.get(this.ticket)
      const routes = score ? score.path : (scene.ways[this.ticket]?.routes ?? [])
      return { cities: new Set([a, b]), routes: new Set(routes), done: score !== undefined }
    }
    if (building)
      return {
        cities: new Set(building.city ? [building.city] : scene.view.choices.cities),
        routes: new Set(this.borrow ? [this.borrow] : []),
      }
    if (scene.choosing)
      return {
        cities: new Set((scene.own?.offer ?? []).flatMap((id) => [atlas.ticket(id).a, atlas.ticket(id).b])),
        routes: none,
      }
    if (stage.advice?.is === 'claim') return { cities: none, routes: new Set([stage.advice.route]), done: true }
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

  pick(route: Route): void {
    const { scene } = this
    if (scene.hidden || scene.choosing) return
    this.building = null
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
    this.route = this.ticket = null
    this.building = this.building ? null : { city: null }
  }
}
