/** A finished game, step by step: of a table here, or of an uploaded record. */
import { SEAT_COLOURS, type SeatColour } from '../board/seats'
import { t, words } from '../text/text.svelte'
import type { Entry, EventJson, Moves, Outlook, VerdictJson, ViewJson } from '../wire/messages'
import { rest } from '../wire/rest'
import { loadAtlas, type Atlas } from './map-data'
import { asOutlook } from './outlook'
import { errorText } from './refusals'
import { namesOf, tell, type Line } from './sayings'

/** Who looks: everybody at once, a spectator, or a seat. */
export type As = 'all' | 'none' | number

export class Replay {
  atlas = $state.raw<Atlas | null>(null)
  colours = $state.raw<readonly SeatColour[]>(SEAT_COLOURS)
  verdict = $state.raw<VerdictJson | null>(null)
  as = $state<As>('all')
  problem = $state('')
  loading = $state(false)
  game = $state.raw<Moves | null>(null)
  private step = $state(0)
  /** The file that was chosen here, as it is. */
  record: string | null = null
  /** Whether it went on from another game: then it was not dealt, and is not judged. */
  practice = $state(false)
  /** Whether the page was opened to review the game. */
  reviewing = $state(false)

  constructor(readonly table: string | null) {}

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
        who: this.game?.levels[seat] ? 'bot' : 'person',
        name,
        level: this.game?.levels[seat] ?? null,
        colour: this.colours[seat] ?? 'blue',
      })),
    ),
  )
  readonly lines = $derived.by((): readonly Line[] => {
    const { atlas, names, as } = this
    if (!atlas) return []
    const told = ({ seat, events, seen }: Moves['moves'][number]): readonly EventJson[] =>
      // With everything open, each action is told as the one knows it who did it.
      seen[String(as === 'all' ? seat : as)] ?? events
    const entries = (this.game?.moves ?? []).slice(0, this.at + 1).map((move, n): Entry => ({
      n,
      is: n === 0 ? 'start' : 'act',
      seat: move.seat,
      by: 'person',
      events: told(move),
      at: 0,
    }))
    return entries.flatMap((entry) => tell(entry, atlas, names, typeof as === 'number' ? as : null))
  })

  go(step: number): void {
    this.step = Math.max(0, Math.min(this.steps - 1, step))
  }
  /** A seat's own cards in this step. */
  own(seat: number): ViewJson['own'] {
    return this.game?.moves[this.at]?.own[seat] ?? null
  }
  /** What a seat's tickets counted, once that is known. */
  outlooks(seat: number): ReadonlyMap<string, Outlook> {
    const counted = this.over ? this.game?.scores?.seats[seat] : undefined
    return new Map(counted?.tickets.map((score) => [score.ticket, asOutlook(score, counted)]))
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
    this.reviewing = asked.has('review')
    if (!this.table) return
    void rest
      .table(this.table)
      .then((table) => {
        this.colours = table.seats.map((seat) => seat.colour)
        this.practice = table.practice !== null
      })
      .catch(() => undefined)
    const { table } = this
    void this.load(() => rest.moves(table))
  }
  async upload(file: File): Promise<void> {
    this.game = null
    this.step = 0
    await this.load(async () => {
      this.record = await file.text()
      const { verdict, moves } = await rest.look(this.record)
      this.verdict = verdict
      return moves
    })
  }

  private async load(find: () => Promise<Moves | null>): Promise<void> {
    this.problem = ''
    this.loading = true
    try {
      const game = await find()
      if (!game) {
        const failed = this.verdict?.checks.find(({ ok }) => !ok)
        this.problem = t('replay.bad', { what: failed?.what ?? '' })
        return
      }
      this.atlas = await loadAtlas(game.map)
      words.world = this.atlas.world
      this.game = game
    } catch (error) {
      this.problem = errorText(error)
    } finally {
      this.loading = false
    }
  }
}
