/** A table as this page knows it: the last view, what happened, who is there, and how to act. */
import { Refused } from '../wire/rest'
import { openWire, TableSocket, type Connection } from '../wire/socket'
import type {
  ActionJson,
  AdviceMessage,
  EntriesMessage,
  Entry,
  Me,
  Odds,
  Outlook,
  Problem,
  Saying,
  Scores,
  ServerMessage,
  TableInfo,
  ViewJson,
  ViewMessage,
  WhyNot,
} from '../wire/messages'
import type { Payment } from '../wire/messages'

export type Happening = { readonly entry: Entry; readonly view: ViewJson; readonly before: ViewJson | null }

/** Milliseconds for which one may still look at one's own cards when others have gone on. */
const LOOK = 5000

export class Live {
  table = $state.raw<TableInfo | null>(null)
  message = $state.raw<ViewMessage | null>(null)
  connection = $state<Connection>('connecting')
  entries = $state.raw<readonly Entry[]>([])
  said = $state.raw<readonly Saying[]>([])
  unheard = $state(0)
  /** Whom I do not want to hear. */
  muted = $state.raw<ReadonlySet<string>>(new Set())
  /** Something I asked for is on its way; nothing else is offered meanwhile. */
  busy = $state(false)
  problem = $state.raw<Problem | null>(null)
  /** On a shared device: whoever acted last still looks at what they did, until they pass the device on. */
  lingering = $state(false)
  /** The socket's last word, when the server will not have us. */
  refused = $state<number | null>(null)
  readonly happenings = new Set<(happening: Happening) => void>()

  private readonly socket: TableSocket
  private readonly answers = new Map<string, Promise<unknown>>()
  private answersAt = -1
  private readonly called = new Map<string, string>()
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
        const fresh = connection === 'open' && this.connection !== 'silent'
        this.connection = connection
        if (fresh) void this.readLog()
      },
      onrefused: (code) => (this.refused = code),
    })
    const hurry = (): void => this.socket.hurry()
    const offline = (): void => this.socket.offline()
    addEventListener('online', hurry)
    addEventListener('offline', offline)
    document.addEventListener('visibilitychange', hurry)
    this.off = () => {
      removeEventListener('online', hurry)
      removeEventListener('offline', offline)
      document.removeEventListener('visibilitychange', hurry)
    }
  }
  private readonly off: () => void

  get view(): ViewJson | null {
    return this.message?.view ?? null
  }
  /** How each ticket of the seat shown stands. */
  get tickets(): readonly Outlook[] {
    return this.message?.tickets ?? []
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
    if (!view || this.mine.length === 0 || view.stage === 'over' || this.lingering) return null
    const waiting = this.mine.filter((seat) => view.to_act.includes(seat) && this.table?.seats[seat]?.level == null)
    if (this.seat !== null && (waiting.includes(this.seat) || waiting.length === 0)) return null
    if (waiting.length > 0) return waiting[0]!
    return this.seat === null && this.mine.length === 1 ? this.mine[0]! : null
  }
  get unsaid(): number {
    return this.socket.unsaid
  }

  look(seat: number | null): void {
    this.lingering = false
    this.socket.look(seat)
  }

  /** Several people share this device: what one holds is covered while others act. */
  get shared(): boolean {
    return this.mine.length > 1
  }
  passOn(): void {
    if (this.shared && !this.awaited) this.look(null)
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

  /** Waits for what was asked for beside the socket; a refusal is told as the socket's are. */
  async ask(work: Promise<unknown>): Promise<void> {
    try {
      await work
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.problem = error.problem
    }
  }

  /** Says something; what stands in the way, if anything does. */
  async say(text: string): Promise<Problem | null> {
    try {
      await this.socket.ask({ is: 'say', text })
      return null
    } catch (problem) {
      return problem as Problem
    }
  }

  /** What a bot would do; `quietly`: whoever did not ask for it is not told why there is none. */
  async hint(quietly = false): Promise<AdviceMessage | null> {
    const { message } = this
    if (!message || message.ask === null || message.seat === null) return null
    try {
      const answer = (await this.socket.ask({ is: 'hint', seat: message.seat })) as AdviceMessage
      return answer.ask === this.message?.ask ? answer : null
    } catch (problem) {
      if (!quietly) this.problem = problem as Problem
      return null
    }
  }

  mute(person: string, muted: boolean): void {
    this.socket.mute(person, muted)
    const others = [...this.muted].filter((id) => id !== person)
    this.muted = new Set(muted ? [...others, person] : others)
    for (const line of this.said) this.called.set(line.person, line.name)
    if (muted) this.said = this.said.filter((line) => line.person !== person)
  }
  /** What somebody was called when they were last heard. */
  mutedName(person: string): string {
    return this.called.get(person) ?? this.table?.seats.find((seat) => seat.person === person)?.name ?? '…'
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
  borrowed(city: string | null): Promise<Readonly<Record<string, string | null>> | null> {
    return this.explain({ is: 'borrowed', city })
  }

  stop(): void {
    this.off()
    this.socket.stop()
  }

  /** Answers hold for one position, so each question is put once in it; a refusal is no answer, and is not kept. */
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
        () => {
          this.answers.delete(key)
          return null
        },
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
      case 'hello':
        this.muted = new Set(message.muted)
        break
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
    if (this.shared) this.linger(message, changed)
    if (changed) {
      this.entries = []
      void this.readLog()
    }
  }

  private linger({ entry, ask, seat }: ViewMessage, changed: boolean): void {
    if (changed || ask !== null || seat === null) this.lingering = false
    else if (entry?.seat === seat) this.lingering = true
    else if (this.lingering && entry) setTimeout(() => this.lingering && this.passOn(), LOOK)
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
