/** A running table as its screen sees it: whose turn it is, what may be done, and what is hidden meanwhile. */
import type { Route } from '../board/map'
import { t } from '../text/text.svelte'
import type { Outlook, TableInfo, ViewJson, Way } from '../wire/messages'
import { frame } from './frame.svelte'
import type { Live } from './live.svelte'
import type { Atlas } from './map-data'
import { asOutlook } from './outlook'
import { namesOf, routeText, stateText, tell } from './sayings'
import { Stage } from './stage.svelte'

export class Scene {
  readonly stage: Stage

  constructor(
    readonly live: Live,
    readonly atlas: Atlas,
  ) {
    this.stage = new Stage(live, atlas, () => this.names)
  }

  get table(): TableInfo {
    return this.live.table!
  }
  get view(): ViewJson {
    return this.live.view!
  }
  readonly names = $derived.by(() => namesOf(this.table.seats))
  readonly colours = $derived.by(() => this.table.seats.map((seat) => seat.colour))

  get over(): boolean {
    return this.view.stage === 'over'
  }
  /** The device goes to another person, and nothing of anybody's may be seen. */
  get hidden(): boolean {
    return this.live.next !== null && this.live.shared
  }
  /** Whether it is the turn of whoever looks. */
  get awaited(): boolean {
    return this.live.awaited && !this.hidden
  }
  /** Whether they may act now. */
  get asking(): boolean {
    return this.live.asking && !this.hidden
  }
  get own(): ViewJson['own'] {
    return this.hidden ? null : this.view.own
  }
  /** One's tickets; while others still choose theirs at the opening, those that one has answered with. */
  get kept(): readonly string[] {
    const { own } = this
    return own?.tickets.length ? own.tickets : (own?.answer ?? [])
  }
  /** Whether stations and trails belong to this map. */
  get stations(): boolean {
    return this.atlas.stations > 0
  }
  /** Whether tickets are being chosen. */
  get choosing(): boolean {
    return this.asking && this.view.choices.keep > 0 && (this.own?.offer.length ?? 0) > 0
  }
  get toAct(): string {
    return this.names[this.view.to_act[0] ?? -1] ?? ''
  }

  readonly claimable = $derived.by(() => new Set(this.asking ? Object.keys(this.view.choices.claims) : []))
  readonly closed = $derived.by(() => new Set(this.view.closed))
  /** How each of my tickets stands: what it would count now and what it takes, or what it did count. */
  readonly outlooks = $derived.by(() => {
    const { scores, seat, tickets } = this.live
    if (this.hidden) return new Map<string, Outlook>()
    const counted = scores?.seats[seat ?? -1]
    return new Map(
      (counted ? counted.tickets.map((score) => asOutlook(score, counted)) : tickets).map((one) => [one.ticket, one]),
    )
  })
  /** The shortest way of each of my tickets; null where there is none. */
  readonly ways = $derived.by((): Readonly<Record<string, Way | null>> =>
    Object.fromEntries([...this.outlooks].map(([id, { way }]) => [id, way])),
  )
  /** Routes on the ways of my tickets. */
  readonly near = $derived.by(() => new Set(Object.values(this.ways).flatMap((way) => way?.claim ?? [])))

  // Nobody should read in the log or see on the board what the cards have yet to show.
  readonly lines = $derived.by(() => {
    const { stage, live } = this
    const told = stage.turning ? live.entries.filter((entry) => entry.n < (stage.tunnel?.n ?? 0)) : live.entries
    return told.flatMap((entry) => tell(entry, this.atlas, this.names, live.seat))
  })
  readonly owners = $derived.by(() => {
    if (!this.stage.turning || !this.stage.tunnel) return this.view.owners
    const { [this.stage.tunnel.route]: _, ...others } = this.view.owners
    return others
  })

  readonly whose = $derived.by(() => {
    if (this.over) return t('play.over')
    if (this.table.status === 'abandoned') return t('play.abandoned')
    if (this.awaited) return t('play.you')
    if (this.live.lingering) return t('play.passOn.done')
    return this.view.stage === 'opening' ? t('play.opening') : t('play.toPlay', { name: this.toAct })
  })
  readonly what = $derived.by(() => {
    const { view, own } = this
    if (this.live.standIn) return t('play.standIn')
    if (this.stage.turning) return ''
    if (this.live.lingering && !this.awaited) return t('play.passOn.text')
    if (view.stage === 'opening' && own !== null && own.answer !== null) return t('choose.wait')
    if (this.table.status === 'abandoned') return ''
    if (!this.awaited) {
      if (this.live.seat !== null || this.hidden || this.over) return ''
      return this.live.shared ? t('play.covered') : t('play.watching')
    }
    if (view.choices.passing) return t('play.what.pass')
    switch (view.stage) {
      case 'second-draw':
        return t('play.what.second')
      case 'tunnel-owed':
        return t('play.what.tunnel')
      case 'opening':
      case 'ticket-offer':
        return t('play.what.tickets')
      default:
        // The last round is told in the same place.
        if (frame.narrow && view.last_turns !== null) return ''
        return t(frame.tight ? 'play.what.turn.short' : 'play.what.turn', {
          stations: this.stations && view.choices.cities.length > 0 ? 'yes' : 'no',
        })
    }
  })

  /** What a screen reader says of a route. */
  describe(route: Route): string {
    return routeText(route, this.atlas, stateText(route.id, this.view, this.names, this.claimable))
  }
}
