/** From the home screen into a game. */
import { newNonce } from './nonce'
import { keep, remember, settings } from './settings.svelte'
import { who } from './who.svelte'
import { rest } from '../wire/rest'
import type { SeatPlan, Sit, TableInfo } from '../wire/messages'

/** A game against bots at once. */
export async function playNow(): Promise<TableInfo> {
  await who.somebody()
  const seats: SeatPlan[] = [
    { who: 'open' },
    ...Array.from({ length: settings.bots }, () => ({ who: 'bot' as const, level: settings.level })),
  ]
  const table = await rest.open({ map: settings.map, seats, bots: settings.tempo })
  await sitDown(table, 0)
  return rest.start(table.id)
}

/** Take a seat with a number of this browser's own, and remember it for the check at the end. */
export async function sitDown(
  table: TableInfo,
  seat: number,
  how: Pick<Sit, 'colour' | 'name'> = {},
): Promise<TableInfo> {
  const nonce = newNonce()
  const seated = await rest.sit(table.id, seat, { nonce, ...how })
  remember(table.id, { nonce, commitment: table.commitment })
  return seated
}

/** The same for somebody who says what to be called first. */
export async function sitDownAs(name: string, table: TableInfo, seat: number): Promise<TableInfo> {
  await who.rename(name)
  keep({ named: true })
  return sitDown(table, seat)
}
