/** One table's socket: connects, answers heartbeats, reconnects, and sends again what nobody acknowledged. */
import { Close, FINAL, type ClientMessage, type Explain, type Problem, type ServerMessage } from './messages'

/** `silent`: something was asked for, and no answer comes. `offline`: the device itself says so. */
export type Connection = 'connecting' | 'open' | 'silent' | 'lost' | 'offline' | 'closed'

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

/** Milliseconds for which the server may keep its first word to itself; later it says itself how long is too long. */
const GREETING = 10_000
/** Milliseconds after which an answer that has not come is told of, and after which another wire is tried. */
const SLOW = 2_500
const STUCK = 6_000
const SLOWEST = 8_000
/** Milliseconds within which everybody whom a stopping server sent away tries another one. */
const ELSEWHERE = 250

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
  private doubt = 0
  private silence = GREETING
  /** An answer is long in coming, and nothing else has come since. */
  private overdue = false
  private doubted = false
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
      if (this.live && this.pending === 1) this.expect()
    })
  }

  explain(seat: number, about: Explain['about']): Promise<ServerMessage> {
    return this.ask({ is: 'explain', seat, about })
  }

  /** How many things wait for an answer that needs no thought. */
  private get pending(): number {
    return [...this.waiting.values()].filter(({ message }) => message.is !== 'hint' && message.is !== 'explain').length
  }

  /** How many things that change the table have not been acknowledged. */
  get unsaid(): number {
    return [...this.waiting.values()].filter(
      ({ message }) => message.is === 'act' || message.is === 'undo' || message.is === 'say',
    ).length
  }

  /** Try now instead of waiting: the browser says that the network is back, or the page is seen again. */
  hurry(): void {
    if (this.stopped || (this.live && !this.overdue)) return
    this.cancel(this.timer)
    this.tries = 0
    this.reconnect()
  }

  /** The device says that it has no network: nothing that is sent now arrives. */
  offline(): void {
    if (this.stopped) return
    this.hangUp()
    this.options.onconnection('offline')
    this.tryLater()
  }

  stop(): void {
    this.stopped = true
    this.cancel(this.timer)
    this.cancel(this.watch)
    this.cancel(this.doubt)
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
      this.silence = GREETING
      this.options.onconnection('open')
      this.listen()
      for (const { message } of this.waiting.values()) this.put(message)
      if (this.pending > 0) this.expect()
    }
    wire.onmessage = ({ data }) => {
      if (wire !== this.wire || typeof data !== 'string') return
      this.overdue = false
      this.listen()
      this.receive(JSON.parse(data) as ServerMessage)
    }
    wire.onclose = ({ code }) => {
      if (wire === this.wire) this.lose(code)
    }
  }

  private hangUp(): void {
    const old = this.wire
    this.wire = null
    this.live = this.overdue = this.doubted = false
    this.cancel(this.watch)
    this.cancel(this.doubt)
    old?.close()
  }

  private reconnect(): void {
    this.hangUp()
    this.tries += 1
    this.connect()
  }

  private lose(code: number): void {
    this.hangUp()
    if (this.stopped) return
    if (FINAL.includes(code)) {
      this.stopped = true
      this.options.onrefused(code)
      return
    }
    this.options.onconnection('lost')
    this.tryLater(code === Close.RESTART)
  }

  private tryLater(atOnce = false): void {
    const chance = (this.options.random ?? Math.random)()
    const wait = atOnce ? ELSEWHERE * chance : Math.min(SLOWEST, 400 * 2 ** this.tries) * (0.7 + 0.6 * chance)
    this.cancel(this.timer)
    this.timer = this.later(() => this.reconnect(), wait)
  }

  private listen(): void {
    this.cancel(this.watch)
    this.watch = this.later(() => this.lose(1006), this.silence)
  }

  /** Something waits for an answer: a wire that was cut says nothing, so its silence has to be told of. */
  private expect(): void {
    this.cancel(this.doubt)
    this.doubt = this.later(() => {
      if (!this.live || this.pending === 0) return
      this.overdue = this.doubted = true
      this.options.onconnection('silent')
      this.doubt = this.later(() => this.live && this.overdue && this.lose(1006), STUCK - SLOW)
    }, SLOW)
  }

  private answered(): void {
    if (this.pending > 0) return
    this.cancel(this.doubt)
    if (this.doubted) this.options.onconnection('open')
    this.doubted = false
  }

  private receive(message: ServerMessage): void {
    if (message.is === 'hello') {
      this.silence = message.silence * 1000
      this.listen()
    }
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
      this.answered()
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
