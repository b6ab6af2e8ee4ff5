import { describe, expect, it } from 'vitest'
import { Close, FINAL, type ServerMessage } from '../src/wire/messages'
import { TableSocket, type Connection, type Wire } from '../src/wire/socket'

/** A wire in the hand, and a clock that is wound by the test. */
function house() {
  const wires: (Wire & { sent: { is: string; id?: string }[]; seat: number | null; closed: boolean })[] = []
  const timers = new Map<number, { at: number; work: () => void }>()
  let now = 0
  let next = 1
  const told: ServerMessage[] = []
  const states: Connection[] = []
  const refused: number[] = []
  const socket = new TableSocket(2, {
    open(seat) {
      const wire = {
        sent: [] as { is: string; id?: string }[],
        seat,
        closed: false,
        send(text: string) {
          this.sent.push(JSON.parse(text) as { is: string; id?: string })
        },
        close() {
          this.closed = true
        },
        onopen: null,
        onmessage: null,
        onclose: null,
      }
      wires.push(wire)
      return wire
    },
    onmessage: (message) => told.push(message),
    onconnection: (state) => states.push(state),
    onrefused: (code) => refused.push(code),
    later: (work, ms) => {
      timers.set(next, { at: now + ms, work })
      return next++
    },
    cancel: (timer) => timers.delete(timer),
    random: () => 0.5,
  })
  const wait = (ms: number): void => {
    now += ms
    for (const [id, { at, work }] of [...timers])
      if (at <= now) {
        timers.delete(id)
        work()
      }
  }
  const say = (message: object): void => wires.at(-1)!.onmessage!({ data: JSON.stringify(message) })
  return { socket, wires, told, states, refused, wait, say }
}

describe('the socket', () => {
  it('asks for its seat, answers heartbeats and hands on the rest', () => {
    const { wires, say, told, states } = house()
    wires[0]!.onopen!()
    expect(wires[0]!.seat).toBe(2)
    say({ is: 'beat' })
    expect(wires[0]!.sent).toEqual([{ is: 'beat' }])
    say({ is: 'said', lines: [] })
    expect(told).toHaveLength(1)
    expect(states).toEqual(['connecting', 'open'])
  })

  it('sends again, under the same id, what nobody acknowledged', async () => {
    const { socket, wires, wait, say, states } = house()
    wires[0]!.onopen!()
    const done = socket.ask({ is: 'say', text: 'hello' })
    const { id } = wires[0]!.sent[0]!
    wires[0]!.onclose!({ code: 1006 })
    expect(socket.unsaid).toBe(1)
    wait(1000)
    wires[1]!.onopen!()
    expect(wires[1]!.sent[0]!.id).toBe(id)
    say({ is: 'done', id, n: 4 })
    await expect(done).resolves.toMatchObject({ n: 4 })
    expect(socket.unsaid).toBe(0)
    expect(states).toEqual(['connecting', 'open', 'lost', 'lost', 'open'])
  })

  it('fails what is refused, with the reason', async () => {
    const { socket, wires, say } = house()
    wires[0]!.onopen!()
    const done = socket.ask({ is: 'undo', seat: 2, n: 3 })
    say({ is: 'refused', id: wires[0]!.sent[0]!.id, problem: { code: 'stale', text: '', rule: null } })
    await expect(done).rejects.toMatchObject({ code: 'stale' })
  })

  it('takes a wire for dead that says nothing, and waits longer each time', () => {
    const { wires, wait } = house()
    wires[0]!.onopen!()
    wait(26_000)
    expect(wires[0]!.closed).toBe(true)
    wait(500)
    expect(wires).toHaveLength(2)
    wires[1]!.onclose!({ code: 1006 })
    wait(500)
    expect(wires).toHaveLength(2)
    wait(500)
    expect(wires).toHaveLength(3)
  })

  it('goes elsewhere at once when the server is being stopped, and waits longer if nobody is there', () => {
    const { wires, wait } = house()
    wires[0]!.onopen!()
    wires[0]!.onclose!({ code: Close.RESTART })
    wait(125)
    expect(wires).toHaveLength(2)
    wires[1]!.onclose!({ code: 1006 })
    wait(125)
    expect(wires).toHaveLength(2)
  })

  it.each(FINAL)('gives up where it is not wanted: %d', (code) => {
    const { wires, wait, refused } = house()
    wires[0]!.onopen!()
    wires[0]!.onclose!({ code })
    wait(60_000)
    expect(wires).toHaveLength(1)
    expect(refused).toEqual([code])
  })

  it('learns from the greeting how long silence may last', () => {
    const { wires, wait, say } = house()
    wires[0]!.onopen!()
    say({ is: 'hello', heartbeat: 30, silence: 75 })
    wait(70_000)
    expect(wires[0]!.closed).toBe(false)
    wait(6_000)
    expect(wires[0]!.closed).toBe(true)
  })

  it('tells of an answer that does not come, then tries another wire and asks again', () => {
    const { socket, wires, wait, say, states } = house()
    wires[0]!.onopen!()
    say({ is: 'hello', heartbeat: 10, silence: 25 })
    void socket.ask({ is: 'undo', seat: 2, n: 3 })
    wait(2_000)
    expect(states.at(-1)).toBe('open')
    wait(900)
    expect(states.at(-1)).toBe('silent')
    wait(4_000)
    expect(states.at(-1)).toBe('lost')
    wait(1_000)
    wires[1]!.onopen!()
    expect(wires[1]!.sent).toEqual([wires[0]!.sent[0]])
    say({ is: 'done', id: wires[0]!.sent[0]!.id, n: 4 })
    expect(states.at(-1)).toBe('open')
  })

  it('keeps a slow wire that still speaks', () => {
    const { socket, wires, wait, say, states } = house()
    wires[0]!.onopen!()
    void socket.ask({ is: 'say', text: 'hello' })
    wait(2_600)
    expect(states.at(-1)).toBe('silent')
    say({ is: 'said', lines: [] })
    wait(4_000)
    expect(wires[0]!.closed).toBe(false)
  })

  it('does not take thinking for silence', () => {
    const { socket, wires, wait, states } = house()
    wires[0]!.onopen!()
    void socket.ask({ is: 'hint', seat: 2 })
    wait(5_000)
    expect(states.at(-1)).toBe('open')
  })

  it('says at once that the device is offline', () => {
    const { socket, wires, states } = house()
    wires[0]!.onopen!()
    socket.offline()
    expect(wires[0]!.closed).toBe(true)
    expect(states.at(-1)).toBe('offline')
    socket.hurry()
    expect(wires).toHaveLength(2)
  })

  it('keeps looking at the seat last asked for', () => {
    const { socket, wires, wait } = house()
    wires[0]!.onopen!()
    socket.look(1)
    wires[0]!.onclose!({ code: 1006 })
    wait(1000)
    expect(wires[1]!.seat).toBe(1)
  })
})
