/** Once more with the same people. */
import { rest } from '../wire/rest'
import type { TableInfo } from '../wire/messages'
import { sitDown } from './opening'

/** Opens the next table or finds it, sits down in all my seats, and starts it if I am the last to come. */
export async function rematch(table: string, me: string): Promise<TableInfo> {
  let fresh = await rest.rematch(table)
  for (const [seat, info] of fresh.seats.entries())
    if (info.person === me && !info.ready) fresh = await sitDown(fresh, seat)
  if (fresh.owner === me && fresh.status === 'open' && fresh.seats.every((seat) => seat.ready))
    fresh = await rest.start(fresh.id)
  return fresh
}
