/** Points for routes as they were written up, turn by turn: what was taken back does not count. */
import type { Entry } from '../wire/messages'

export function pointsOverTime(
  entries: readonly Entry[],
  seats: number,
): readonly { readonly turn: number; readonly points: readonly number[] }[] {
  const kept: Entry[] = []
  for (const entry of entries) {
    if (entry.is === 'undo') kept.pop()
    else kept.push(entry)
  }
  const points = Array<number>(seats).fill(0)
  const told = [{ turn: 0, points: [...points] }]
  let turn = 0
  for (const event of kept.flatMap((entry) => entry.events)) {
    if (event.is === 'turn') {
      turn = event.turn
      told.push({ turn, points: [...points] })
    } else if (event.is === 'claimed') {
      points[event.seat]! += event.points
      told.push({ turn, points: [...points] })
    }
  }
  return told
}
