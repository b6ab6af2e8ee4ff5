/** From the home screen into a game. */
import { newNonce } from './nonce'
import { remember, settings } from './settings.svelte'
import { who } from './who.svelte'
import { rest } from '../wire/rest'
import type { SeatPlan, TableInfo } from '../wire/messages'

/** A game against bots at once. */
export async function playNow(): Promise<TableInfo> {
  await who.somebody()
  const seats: SeatPlan[] = [
    { who: 'open' },
    ...Array.from({ length: settings.bots }, () => ({ who: 'bot' as const, level: settings.level })),
  ]
  const table = await rest.open({ map: settings.map, seats })
  await sitDown(table, 0)
  return rest.start(table.id)
}

/** Take a seat with a number of this browser's own, and remember it for the check at the end. */
export async function sitDown(
  table: TableInfo,
  seat: number,
  colour?: TableInfo['seats'][number]['colour'],
): Promise<TableInfo> {
  const nonce = newNonce()
  const seated = await rest.sit(table.id, seat, colour ? { nonce, colour } : { nonce })
  remember(table.id, { nonce, commitment: table.commitment })
  return seated
}
