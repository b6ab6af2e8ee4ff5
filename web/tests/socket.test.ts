import { describe, expect, it } from 'vitest'
import type { ServerMessage } from '../src/wire/messages'
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

  it('gives up where it is not wanted', () => {
    const { wires, wait, refused } = house()
    wires[0]!.onclose!({ code: 4404 })
    wait(60_000)
    expect(wires).toHaveLength(1)
    expect(refused).toEqual([4404])
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
