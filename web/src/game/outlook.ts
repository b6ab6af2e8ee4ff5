/** How a ticket stands, in words. */
import { t, words } from '../text/text.svelte'
import type { Outlook, SeatScore, TicketScore } from '../wire/messages'
import type { Atlas } from './map-data'

/** What a ticket did count, as an outlook: there is nothing left to take. */
export function asOutlook({ ticket, points, completed, path }: TicketScore, seat: SeatScore): Outlook {
  const lent = new Set(Object.values(seat.borrowed))
  return { ticket, points, completed, path, borrowed: path.filter((id) => lent.has(id)), way: null, station: false }
}

export interface Standing {
  readonly text: string
  /** `lost` where it can't be completed any more. */
  readonly kind: 'done' | 'open' | 'lost'
}

/** What is said of a ticket. `over`: what is open stays open. Where nothing is known yet, nothing is claimed. */
export function standing(outlook: Outlook | undefined, atlas: Atlas, cars: number, over: boolean): Standing {
  if (outlook?.completed) {
    const [lent] = outlook.borrowed
    const route = lent === undefined ? undefined : atlas.route(lent)
    if (!route) return { text: t('tickets.done'), kind: 'done' }
    const [a, b] = [atlas.cityName(route.a, words.lang), atlas.cityName(route.b, words.lang)]
    return { text: t('tickets.borrowed', { a, b, more: outlook.borrowed.length - 1 }), kind: 'done' }
  }
  if (over) return { text: t('tickets.missed'), kind: 'lost' }
  // Where nobody has looked into it nothing is said.
  if (!outlook) return { text: '', kind: 'open' }
  if (!outlook.way)
    return outlook.station ? { text: t('tickets.station'), kind: 'open' } : { text: t('tickets.cut'), kind: 'lost' }
  const { spaces } = outlook.way
  return {
    text: spaces > cars ? t('tickets.tooFar', { n: spaces, cars }) : t('tickets.far', { n: spaces }),
    kind: 'open',
  }
}
