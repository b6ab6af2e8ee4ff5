/** Payments as the view offers them. Which are legal is the server's word; this only unpacks and lays out. */
import type { ChoicesJson, Payment } from '../wire/messages'

export type Triple = readonly [string | null, number, number]
export type Hand = Readonly<Record<string, number>>

export const toPayment = ([colour, cards, wilds]: Triple): Required<Payment> => ({ colour, cards, wilds })

/** What may be paid for a route, fewest wilds first; empty if it can't be claimed now. */
export function paymentsFor(choices: ChoicesJson, route: string): readonly Required<Payment>[] {
  const list = choices.claims[route]
  return list === undefined ? [] : (choices.payments[list] ?? []).map(toPayment)
}

/** The cards of a payment, one by one. */
export function cardsOf(payment: Payment): readonly string[] {
  const wilds = payment.wilds ?? 0
  return [
    ...Array<string>(payment.colour === null ? 0 : payment.cards).fill(payment.colour ?? 'wild'),
    ...Array<string>(wilds).fill('wild'),
  ]
}

/** What is left in hand after a payment. */
export function leftAfter(hand: Hand, payment: Payment): Hand {
  const left: Record<string, number> = { ...hand }
  for (const card of cardsOf(payment)) left[card] = (left[card] ?? 0) - 1
  return left
}

export const handSize = (hand: Hand): number => Object.values(hand).reduce((sum, n) => sum + n, 0)

/** A hand as stacks: wilds first, then the map's own order of colours. */
export function stacks(
  hand: Hand,
  colours: readonly string[],
): readonly { readonly colour: string; readonly n: number }[] {
  const ordered = ['wild', ...colours.filter((colour) => colour !== 'wild')]
  return ordered.map((colour) => ({ colour, n: hand[colour] ?? 0 })).filter(({ n }) => n > 0)
}

export const samePayment = (a: Payment, b: Payment): boolean =>
  a.colour === b.colour && a.cards === b.cards && (a.wilds ?? 0) === (b.wilds ?? 0)
