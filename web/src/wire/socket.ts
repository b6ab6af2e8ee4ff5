/** One table's socket: connects, answers heartbeats, reconnects, and sends again what nobody acknowledged. */
import type { ClientMessage, Explain, Problem, ServerMessage } from './messages'

export type Connection = 'connecting' | 'open' | 'lost' | 'closed'

/** The part of a WebSocket that is used. */
export interface Wire {
  send(text: string): void
  close(): void
  onopen: (() => void) | null
  onmessage: ((event: { data: unknown }) => void) | null
  onclose: ((event: { code: number }) => void) | null
}

export interface Options {
  /** Opens a wire that asks for a seat's view at once. */
  readonly open: (seat: number | null) => Wire
  readonly onmessage: (message: ServerMessage) => void
  readonly onconnection: (connection: Connection) => void
  /** The server will not have us back: no such table, or nobody knows who we are. */
  readonly onrefused: (code: number) => void
  readonly later?: (work: () => void, milliseconds: number) => number
  readonly cancel?: (timer: number) => void
  readonly random?: () => number
}

/** Heartbeats come every ten seconds; after so long without a word the socket is dead, whatever it says. */
const SILENCE = 25_000
const SLOWEST = 8_000
const FINAL = new Set([4401, 4404, 4403])

type Asking = Extract<ClientMessage, { readonly id: string }>
type Unnumbered<M> = M extends { readonly id: string } ? Omit<M, 'id'> : never
interface Waiting {
  readonly message: Asking
  readonly done: (answer: ServerMessage) => void
  readonly failed: (problem: Problem) => void
}

export class TableSocket {
  seat: number | null
  private wire: Wire | null = null
  private live = false
  private readonly waiting = new Map<string, Waiting>()
  private tries = 0
  private count = 0
  private timer = 0
  private watch = 0
  private stopped = false
  private readonly prefix: string
  private readonly later: NonNullable<Options['later']>
  private readonly cancel: NonNullable<Options['cancel']>

  constructor(
    seat: number | null,
    private readonly options: Options,
  ) {
    this.seat = seat
    this.later = options.later ?? ((work, ms) => window.setTimeout(work, ms))
    this.cancel = options.cancel ?? ((timer) => window.clearTimeout(timer))
    // Ids must differ between tabs and visits: a repeated one would get another question's answer.
    this.prefix = Math.floor((options.random ?? Math.random)() * 36 ** 8).toString(36)
    this.connect()
  }

  /** Asks for a seat's view, now and from now on. */
  look(seat: number | null): void {
    this.seat = seat
    this.put({ is: 'look', seat })
  }

  mute(person: string, muted: boolean): void {
    this.put({ is: 'mute', person, muted })
  }

  /** Sends what gets an answer, again after each reconnection until it has one. */
  ask(message: Unnumbered<Asking>): Promise<ServerMessage> {
    const id = `${this.prefix}-${++this.count}`
    return new Promise((done, fail) => {
      const numbered = { ...message, id } as Asking
      this.waiting.set(id, { message: numbered, done, failed: (problem) => fail(problem) })
      this.put(numbered)
    })
  }

  explain(seat: number, about: Explain['about']): Promise<ServerMessage> {
    return this.ask({ is: 'explain', seat, about })
  }

  /** How many things that change the table have not been acknowledged. */
  get unsaid(): number {
    return [...this.waiting.values()].filter(
      ({ message }) => message.is === 'act' || message.is === 'undo' || message.is === 'say',
    ).length
  }

  /** Try now instead of waiting: the browser says that the network is back, or the page is seen again. */
  hurry(): void {
    if (this.live || this.stopped) return
    this.cancel(this.timer)
    this.tries = 0
    this.reconnect()
  }

  stop(): void {
    this.stopped = true
    this.cancel(this.timer)
    this.cancel(this.watch)
    this.wire?.close()
    this.options.onconnection('closed')
  }

  private connect(): void {
    this.options.onconnection(this.tries === 0 && this.wire === null ? 'connecting' : 'lost')
    const wire = (this.wire = this.options.open(this.seat))
    wire.onopen = () => {
      if (wire !== this.wire) return
      this.live = true
      this.tries = 0
      this.options.onconnection('open')
      this.listen()
      for (const { message } of this.waiting.values()) this.put(message)
    }
    wire.onmessage = ({ data }) => {
      if (wire !== this.wire || typeof data !== 'string') return
      this.listen()
      this.receive(JSON.parse(data) as ServerMessage)
    }
    wire.onclose = ({ code }) => {
      if (wire === this.wire) this.lose(code)
    }
  }

  private reconnect(): void {
    const old = this.wire
    this.wire = null
    old?.close()
    this.tries += 1
    this.connect()
  }

  private lose(code: number): void {
    this.live = false
    this.cancel(this.watch)
    if (this.stopped) return
    if (FINAL.has(code)) {
      this.stopped = true
      this.options.onrefused(code)
      return
    }
    this.options.onconnection('lost')
    const wait = Math.min(SLOWEST, 400 * 2 ** this.tries) * (0.7 + 0.6 * (this.options.random ?? Math.random)())
    this.cancel(this.timer)
    this.timer = this.later(() => this.reconnect(), wait)
  }

  private listen(): void {
    this.cancel(this.watch)
    this.watch = this.later(() => {
      const dead = this.wire
      this.wire = null
      dead?.close()
      this.lose(1006)
    }, SILENCE)
  }

  private receive(message: ServerMessage): void {
    if (message.is === 'beat') {
      this.put({ is: 'beat' })
      return
    }
    if (message.is === 'refused' && message.id === null) {
      this.options.onmessage(message)
      return
    }
    if ('id' in message && message.id !== null) {
      const waiting = this.waiting.get(message.id)
      this.waiting.delete(message.id)
      if (message.is === 'refused') {
        waiting?.failed(message.problem)
        return
      }
      waiting?.done(message)
      return
    }
    this.options.onmessage(message)
  }

  private put(message: ClientMessage): void {
    // What is numbered waits for the next connection; a look goes out with it anyway.
    if (this.live) this.wire?.send(JSON.stringify(message))
  }
}

/** The real thing. */
export function openWire(table: string): (seat: number | null) => Wire {
  return (seat) => {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const query = seat === null ? '' : `?seat=${seat}`
    return new WebSocket(
      `${scheme}://${location.host}/api/tables/${encodeURIComponent(table)}/socket${query}`,
    ) as unknown as Wire
  }
}
