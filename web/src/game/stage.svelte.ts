/** What a table's screen shows of what just happened: cards that fly, a tunnel being dug, a swept row, a word of advice. */
import { t, words } from '../text/text.svelte'
import type { ActionJson, Outlook, Payment, ViewJson, ViewMessage } from '../wire/messages'
import { fly } from './flight'
import type { Happening, Live } from './live.svelte'
import type { Atlas } from './map-data'
import { told } from './refusals'
import { adviceText, tell } from './sayings'
import { motion } from './settings.svelte'
import { play } from './sound'

export interface Tunnel {
  /** The log's number of the action that turned the cards. */
  readonly n: number
  readonly seat: number
  readonly route: string
  readonly payment: Payment
  readonly turned: readonly string[]
  readonly owed: number
  /** Whether the cards were turned just now, or lie there since before this page was opened. */
  readonly fresh: boolean
}

interface Note {
  readonly text: string
  readonly rule?: string | null
  readonly kind: 'bad' | 'info'
  /** A hint: it stays until its question is answered, or until it is closed. */
  readonly hint?: {
    /** What it speaks of on the board, if anything; whether one should act there. */
    readonly about: string | null
    readonly act: boolean
  }
}

/** Milliseconds for which a row with three wilds is seen before it goes. */
const SWEEP = 1800
/** Milliseconds for which a completed ticket is celebrated. */
const JOY = 4000

export class Stage {
  tunnel = $state.raw<Tunnel | null>(null)
  swept = $state.raw<readonly (string | null)[] | null>(null)
  /** The route claimed last. */
  last = $state<string | null>(null)
  /** What a screen reader is told. */
  heard = $state('')
  note = $state.raw<Note | null>(null)
  advice = $state.raw<ActionJson | null>(null)
  /** The route that advised cards are for. */
  saving = $state<string | null>(null)
  /** The absent whom I would rather wait for. */
  patient = $state.raw<ReadonlySet<number>>(new Set())
  /** Whoever only looks on has said so; a free seat is still to be had from the menu. */
  watching = $state(false)
  /** A ticket that was completed just now. */
  joy = $state.raw<Outlook | null>(null)
  private open: { readonly seat: number | null; readonly tickets: ReadonlySet<string> } | null = null
  private rejoicing: ReturnType<typeof setTimeout> | undefined
  private untold = $state(false)
  private sweeping: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly live: Live,
    private readonly atlas: Atlas,
    private readonly names: () => readonly string[],
  ) {}

  /** The tunnel's cards are being turned: nobody should know yet how it ends. */
  get turning(): boolean {
    return this.tunnel !== null && this.untold
  }
  turned(): void {
    this.untold = false
  }

  /** The table's doings, until the returned function is called. */
  listen(): () => void {
    const hear = (happening: Happening): void => this.happen(happening)
    this.live.happenings.add(hear)
    return () => this.live.happenings.delete(hear)
  }

  /** A tunnel that waits for its answer is shown whoever opens the page. */
  catchUp(view: ViewJson): void {
    if (view.tunnel && view.stage === 'tunnel-owed')
      this.tunnel ??= { n: 0, seat: view.on_turn, ...view.tunnel, fresh: false }
    else if (this.tunnel && this.tunnel.owed > 0) this.tunnel = null
  }

  /** A ticket that was open in the last view and is completed in this one is worth a moment. */
  celebrate(message: ViewMessage | null): void {
    if (!message || this.turning) return
    const { seat, tickets } = message
    const before = this.open?.seat === seat ? this.open.tickets : new Set<string>()
    this.open = { seat, tickets: new Set(tickets.filter(({ completed }) => !completed).map(({ ticket }) => ticket)) }
    const done = tickets.find(({ ticket, completed }) => completed && before.has(ticket))
    if (!done) return
    this.joy = done
    play('done')
    clearTimeout(this.rejoicing)
    this.rejoicing = setTimeout(() => (this.joy = null), JOY)
  }

  complain(): void {
    if (!this.live.problem) return
    this.note = { ...told(this.live.problem, this.live.view?.stage), kind: 'bad' }
    this.live.problem = null
  }

  async hint(): Promise<void> {
    const thinking: Note = (this.note = { text: t('hint.thinking'), kind: 'info', hint: { about: null, act: false } })
    const { live } = this
    const found = await live.hint()
    if (this.note === thinking) this.note = null
    if (!found || !live.view) return
    const { action, why } = found
    const { row, owners } = live.view
    const asking = {
      row,
      names: this.names(),
      mine: Object.keys(owners).filter((id) => owners[id] === live.seat),
      done: live.tickets.length > 0 && live.tickets.every(({ completed }) => completed),
    }
    const place = action.is === 'claim' ? action.route : action.is === 'build' ? action.city : null
    this.advise(action, action.is === 'draw' ? (why.route ?? null) : null)
    const hint = { about: place ?? this.saving, act: place !== null }
    this.note = { text: adviceText(found, this.atlas, asking), kind: 'info', hint }
  }
  /** Whether a hint stands, or is being thought of. */
  get hinting(): boolean {
    return this.note?.hint !== undefined
  }
  /** What shines, as a bot would act. `route`: what advised cards are for. */
  advise(action: ActionJson, route: string | null = null): void {
    this.advice = action
    this.saving = route
  }
  /** Advice is about one question: when that is answered, what was said about it goes too. */
  forgetAdvice(): void {
    this.advice = this.saving = null
    if (this.hinting) this.note = null
  }

  private happen({ entry }: Happening): void {
    if (entry.is === 'undo') this.last = null
    const me = this.live.seat
    const told = tell(entry, this.atlas, this.names(), me).filter((line) => line.kind !== 'turn')
    if (told.length > 0) this.heard = words.sentences(told.map((line) => line.text))
    if (entry.is !== 'act') return
    const turned = entry.events.flatMap((event) => (event.is === 'turned' ? [event.card] : []))
    const home = (seat: number, card: string | null): readonly string[] =>
      seat === me ? [`hand-${card}`, 'hand', `seat-${seat}`] : [`seat-${seat}`]
    let wait = 0
    for (const event of entry.events) {
      switch (event.is) {
        case 'taken':
          fly(`row-${event.slot}`, home(event.seat, event.card), event.card)
          play('card')
          wait += 120
          break
        case 'drawn':
          fly('deck', home(event.seat, event.card), event.card)
          play('card')
          break
        case 'filled':
          fly('deck', [`row-${event.slot}`], event.card, wait)
          wait += 60
          break
        case 'reset':
          // The new row comes when the old one is gone.
          this.sweep(event.cards, wait)
          wait += SWEEP
          break
        case 'laid': {
          const owed = entry.events.find((other) => other.is === 'owed')
          const { seat, route, payment } = event
          this.tunnel = { n: entry.n, seat, route, payment, turned, owed: owed?.owed ?? 0, fresh: true }
          this.untold = motion() > 0
          break
        }
        case 'taken-back':
          this.tunnel = null
          break
        case 'claimed':
          this.last = event.route
          if (turned.length === 0) this.tunnel = null
          if (!this.turning) play('cars', this.atlas.route(event.route)?.length ?? 1)
          break
        case 'built':
          play('cars', 1)
          break
        case 'kept':
        case 'offered':
          play('ticket')
          break
        case 'ended':
          play('end')
          break
        default:
      }
    }
  }

  private sweep(cards: readonly (string | null)[], after: number): void {
    this.swept = cards
    clearTimeout(this.sweeping)
    // Where nothing moves it is shown all the same: it would not be understood otherwise.
    this.sweeping = setTimeout(() => (this.swept = null), (after + SWEEP) * (motion() || 1))
  }
}
