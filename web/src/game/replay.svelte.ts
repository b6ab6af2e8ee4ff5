/** A finished game, step by step: of a table here, or of an uploaded record. */
import { SEAT_COLOURS, type SeatColour } from '../board/seats'
import { t, words } from '../text/text.svelte'
import type { Entry, Moves, VerdictJson, ViewJson } from '../wire/messages'
import { rest } from '../wire/rest'
import { loadAtlas, type Atlas } from './map-data'
import { errorText, namesOf, tell, type Line } from './sayings'

/** Who looks: everybody at once, a spectator, or a seat. */
export type As = 'all' | 'none' | number

export class Replay {
  atlas = $state.raw<Atlas | null>(null)
  colours = $state.raw<readonly SeatColour[]>(SEAT_COLOURS)
  verdict = $state.raw<VerdictJson | null>(null)
  as = $state<As>('all')
  problem = $state('')
  loading = $state(false)
  private games = $state.raw<Readonly<Record<string, Moves>>>({})
  private levels = $state.raw<ReadonlySet<string>>(new Set())
  private step = $state(0)
  private record = ''

  constructor(private readonly table: string | null) {}

  /** What the game looked like to whoever looks. */
  get game(): Moves | undefined {
    return this.games[String(this.as)] ?? this.games['none']
  }
  get steps(): number {
    return this.game?.moves.length ?? 0
  }
  get at(): number {
    return Math.min(this.step, Math.max(0, this.steps - 1))
  }
  get view(): ViewJson | null {
    return this.game?.moves[this.at]?.view ?? null
  }
  /** Whether the last step of a game that was played out is shown. */
  get over(): boolean {
    return this.at === this.steps - 1 && this.game?.scores != null
  }
  /** The route claimed in this step. */
  get last(): string | null {
    const claimed = this.game?.moves[this.at]?.events.find((event) => event.is === 'claimed')
    return claimed?.is === 'claimed' ? claimed.route : null
  }
  /** The seats whose cards lie open. */
  get shown(): readonly number[] {
    return this.as === 'all' ? this.names.map((_, seat) => seat) : typeof this.as === 'number' ? [this.as] : []
  }
  readonly names = $derived.by(() =>
    namesOf(
      (this.game?.names ?? []).map((name, seat) => ({
        who: this.levels.has(name) ? 'bot' : 'person',
        name,
        level: name,
        colour: this.colours[seat] ?? 'blue',
      })),
    ),
  )
  readonly lines = $derived.by((): readonly Line[] => {
    const { atlas, names, as } = this
    if (!atlas) return []
    const entries = (this.game?.moves ?? []).slice(0, this.at + 1).map((move, n): Entry => ({
      n,
      is: n === 0 ? 'start' : 'act',
      seat: move.seat,
      by: 'person',
      events: move.events,
      at: 0,
    }))
    return entries.flatMap((entry) => tell(entry, atlas, names, typeof as === 'number' ? as : null))
  })

  go(step: number): void {
    this.step = Math.max(0, Math.min(this.steps - 1, step))
  }
  /** A seat's own cards in this step. */
  own(seat: number): ViewJson['own'] {
    return this.games[String(seat)]?.moves[this.at]?.view.own ?? null
  }
  /** The address of the moment shown; null for a record that nobody else has. */
  get address(): string | null {
    return this.table ? `${location.origin}/replay/${this.table}#step=${this.at}&as=${this.as}` : null
  }

  /** Begins at the moment that the address names. */
  open(hash: string): void {
    const asked = new URLSearchParams(hash.slice(1))
    this.step = Math.max(0, Number(asked.get('step')) || 0)
    const seen = asked.get('as')
    if (seen === 'none') this.as = 'none'
    else if (seen && /^\d$/.test(seen)) this.as = Number(seen)
    void rest
      .bots()
      .then((found) => (this.levels = new Set(found.map(({ level }) => level))))
      .catch(() => undefined)
    if (!this.table) return
    void rest
      .table(this.table)
      .then((table) => (this.colours = table.seats.map((seat) => seat.colour)))
      .catch(() => undefined)
    void this.load()
  }
  async upload(file: File): Promise<void> {
    this.record = await file.text()
    this.games = {}
    this.step = 0
    await this.load()
  }

  private async load(): Promise<void> {
    this.problem = ''
    this.loading = true
    try {
      await this.need(null)
      const game = this.games['none']
      if (!game) {
        const failed = this.verdict?.checks.filter(({ ok }) => !ok).map(({ what }) => what) ?? []
        this.problem = t('replay.bad', { what: words.list(failed) })
        return
      }
      this.atlas = await loadAtlas(game.map)
      words.world = this.atlas.world
      for (let seat = 0; seat < game.names.length; seat++) await this.need(seat)
    } catch (error) {
      this.problem = errorText(error)
    } finally {
      this.loading = false
    }
  }
  private async need(seat: number | null): Promise<void> {
    const key = seat === null ? 'none' : String(seat)
    if (this.games[key]) return
    const found = this.table ? await rest.moves(this.table, seat) : await this.lookAs(seat)
    if (found) this.games = { ...this.games, [key]: found }
  }
  private async lookAs(seat: number | null): Promise<Moves | null> {
    const { verdict, moves } = await rest.look(this.record, seat)
    this.verdict = verdict
    return moves
  }
}
