/** A table as this page knows it: the last view, what happened, who is there, and how to act. */
import { openWire, TableSocket, type Connection } from '../wire/socket'
import type {
  ActionJson,
  AdviceMessage,
  EntriesMessage,
  Entry,
  Me,
  Odds,
  Problem,
  Saying,
  Scores,
  ServerMessage,
  TableInfo,
  TicketScore,
  ViewJson,
  ViewMessage,
  Way,
  WhyNot,
} from '../wire/messages'
import type { Payment } from '../wire/messages'

export type Happening = { readonly entry: Entry; readonly view: ViewJson; readonly before: ViewJson | null }

export class Live {
  table = $state.raw<TableInfo | null>(null)
  message = $state.raw<ViewMessage | null>(null)
  connection = $state<Connection>('connecting')
  entries = $state.raw<readonly Entry[]>([])
  said = $state.raw<readonly Saying[]>([])
  unheard = $state(0)
  /** Something I asked for is on its way; nothing else is offered meanwhile. */
  busy = $state(false)
  problem = $state.raw<Problem | null>(null)
  /** The socket's last word, when the server will not have us. */
  refused = $state<number | null>(null)
  progress = $state.raw<readonly TicketScore[]>([])
  readonly happenings = new Set<(happening: Happening) => void>()

  private readonly socket: TableSocket
  private readonly answers = new Map<string, Promise<unknown>>()
  private answersAt = -1
  private asked = 0

  constructor(
    readonly id: string,
    readonly me: Me,
    seat: number | null,
  ) {
    this.socket = new TableSocket(seat, {
      open: openWire(id),
      onmessage: (message) => this.receive(message),
      onconnection: (connection) => {
        this.connection = connection
        if (connection === 'open') void this.readLog()
      },
      onrefused: (code) => (this.refused = code),
    })
    const hurry = (): void => this.socket.hurry()
    addEventListener('online', hurry)
    document.addEventListener('visibilitychange', hurry)
    this.off = () => {
      removeEventListener('online', hurry)
      document.removeEventListener('visibilitychange', hurry)
    }
  }
  private readonly off: () => void

  get view(): ViewJson | null {
    return this.message?.view ?? null
  }
  get scores(): Scores | null {
    return this.message?.scores ?? null
  }
  /** The seats that are mine. */
  get mine(): readonly number[] {
    return this.table?.seats.flatMap((seat, n) => (seat.person === this.me.id ? [n] : [])) ?? []
  }
  /** The seat whose view is shown. */
  get seat(): number | null {
    return this.message?.seat ?? null
  }
  /** Whether the game waits for the seat shown. */
  get awaited(): boolean {
    return this.message?.ask != null && this.seat !== null && !this.standIn
  }
  /** Whether it may answer now: not while an answer is on its way. */
  get asking(): boolean {
    return this.awaited && !this.busy
  }
  /** Whether a bot stands in for the seat shown. */
  get standIn(): boolean {
    return this.seat !== null && (this.table?.seats[this.seat]?.level ?? null) !== null
  }
  /** Another of my seats on this device has to act: its person has to come to the screen first. */
  get next(): number | null {
    const view = this.view
    if (!view || this.mine.length === 0 || view.stage === 'over') return null
    const waiting = this.mine.filter((seat) => view.to_act.includes(seat) && this.table?.seats[seat]?.level == null)
    if (this.seat !== null && (waiting.includes(this.seat) || waiting.length === 0)) return null
    if (waiting.length > 0) return waiting[0]!
    return this.seat === null && this.mine.length === 1 ? this.mine[0]! : null
  }
  get unsaid(): number {
    return this.socket.unsaid
  }

  look(seat: number | null): void {
    this.socket.look(seat)
  }

  async act(action: ActionJson): Promise<boolean> {
    const { message } = this
    if (!message || message.ask === null || message.seat === null || this.busy) return false
    return this.change({ is: 'act', seat: message.seat, act: action, ask: message.ask })
  }

  async undo(): Promise<boolean> {
    const { message } = this
    if (!message?.undo || message.seat === null || this.busy) return false
    return this.change({ is: 'undo', seat: message.seat, n: message.n })
  }

  async say(text: string): Promise<boolean> {
    try {
      await this.socket.ask({ is: 'say', text })
      return true
    } catch (problem) {
      this.problem = problem as Problem
      return false
    }
  }

  async hint(): Promise<AdviceMessage | null> {
    const { message } = this
    if (!message || message.ask === null || message.seat === null) return null
    try {
      const answer = (await this.socket.ask({ is: 'hint', seat: message.seat })) as AdviceMessage
      return answer.ask === this.message?.ask ? answer : null
    } catch (problem) {
      this.problem = problem as Problem
      return null
    }
  }

  mute(person: string): void {
    this.socket.mute(person, true)
    this.said = this.said.filter((line) => line.person !== person)
  }

  whyNot(route: string): Promise<readonly WhyNot[] | null> {
    return this.explain({ is: 'why-not', route })
  }
  odds(route: string, payment: Required<Payment>): Promise<Odds | null> {
    return this.explain({
      is: 'odds',
      route,
      payment: { colour: payment.colour, cards: payment.cards, wilds: payment.wilds },
    })
  }
  way(ticket: string): Promise<Way | null> {
    return this.explain({ is: 'way', ticket })
  }
  borrowed(city: string | null): Promise<Readonly<Record<string, string | null>> | null> {
    return this.explain({ is: 'borrowed', city })
  }

  stop(): void {
    this.off()
    this.socket.stop()
  }

  /** Answers hold for one position, so each question is put once in it. */
  private explain<T>(about: Parameters<TableSocket['explain']>[1]): Promise<T | null> {
    const { message } = this
    if (!message || message.seat === null) return Promise.resolve(null)
    const now = message.n * 16 + message.seat
    if (this.answersAt !== now) {
      this.answers.clear()
      this.answersAt = now
    }
    const key = JSON.stringify(about)
    let answer = this.answers.get(key)
    if (!answer) {
      answer = this.socket.explain(message.seat, about).then(
        (found) => (found.is === 'answer' ? found.answer : null),
        () => null,
      )
      this.answers.set(key, answer)
    }
    return answer as Promise<T | null>
  }

  private async change(message: Parameters<TableSocket['ask']>[0]): Promise<boolean> {
    this.busy = true
    this.problem = null
    try {
      await this.socket.ask(message)
      return true
    } catch (problem) {
      this.problem = problem as Problem
      return false
    } finally {
      this.busy = false
    }
  }

  private receive(message: ServerMessage): void {
    switch (message.is) {
      case 'table':
        this.table = message.table
        break
      case 'view':
        this.see(message)
        break
      case 'said': {
        const known = new Set(this.said.map((line) => line.n))
        const fresh = message.lines.filter((line) => !known.has(line.n))
        if (this.said.length > 0 || message.lines.length === 1)
          this.unheard += fresh.filter((line) => line.person !== this.me.id).length
        this.said = [...this.said, ...fresh].sort((a, b) => a.n - b.n).slice(-200)
        break
      }
      case 'refused':
        this.problem = message.problem
        break
      default:
    }
  }

  private see(message: ViewMessage): void {
    const last = this.message
    // A late answer to an older look must not turn the table back.
    if (last && message.n < last.n) return
    this.message = message
    const changed = last === null || last.seat !== message.seat
    if (message.entry) {
      const missed = last !== null && message.n > last.n + 1
      if (missed) void this.readLog()
      this.entries = [...this.entries.filter((entry) => entry.n < message.entry!.n), message.entry]
      if (!missed && !changed) {
        for (const hear of this.happenings)
          hear({ entry: message.entry, view: message.view, before: last?.view ?? null })
      }
    }
    if (changed) {
      this.entries = []
      this.progress = []
      void this.readLog()
    }
    void this.readTickets(message)
  }

  private async readTickets(message: ViewMessage): Promise<void> {
    if (message.seat === null || (message.view.own?.tickets.length ?? 0) === 0) {
      this.progress = []
      return
    }
    const found = await this.explain<readonly TicketScore[]>({ is: 'tickets' })
    if (found && this.message?.seat === message.seat) this.progress = found
  }

  private async readLog(): Promise<void> {
    const round = ++this.asked
    try {
      let since = this.isWhole() ? this.entries.at(-1)!.n : 0
      for (let more = true; more;) {
        const answer = (await this.socket.ask({ is: 'history', since })) as EntriesMessage
        if (round !== this.asked) return
        const known = new Map(this.entries.map((entry) => [entry.n, entry]))
        for (const entry of answer.entries) known.set(entry.n, entry)
        this.entries = [...known.values()].sort((a, b) => a.n - b.n)
        more = answer.more && answer.entries.length > 0
        since = answer.entries.at(-1)?.n ?? since
      }
    } catch {
      // The log is told again on the next connection.
    }
  }

  private isWhole(): boolean {
    return this.entries[0]?.n === 1 && this.entries.every((entry, i) => entry.n === i + 1)
  }
}
