/** What one's games come to, taken together. */
import type { GameLine } from '../../wire/messages'

export const PARTS = ['routes', 'ticket_points', 'stations', 'bonus', 'attractions'] as const
export type Part = (typeof PARTS)[number]

export interface Tally {
  readonly key: string
  readonly played: number
  readonly won: number
  readonly mean: number
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

/** Games by whatever they have in common, the most played first; a game may count in several. */
export function tallies(games: readonly GameLine[], keysOf: (game: GameLine) => readonly string[]): readonly Tally[] {
  const by = new Map<string, GameLine[]>()
  for (const game of games) for (const key of new Set(keysOf(game))) by.set(key, [...(by.get(key) ?? []), game])
  return [...by]
    .map(([key, some]) => ({
      key,
      played: some.length,
      won: some.filter(({ winners, mine }) => winners.includes(mine)).length,
      mean: mean(some.map(({ scores, mine }) => scores[mine]?.total ?? 0)),
    }))
    .sort((a, b) => b.played - a.played || (a.key < b.key ? -1 : 1))
}

/** Points by part: one's own average, and that of whoever won. */
export function parts(games: readonly GameLine[]): readonly { part: Part; mine: number; winners: number }[] {
  return PARTS.map((part) => ({
    part,
    mine: mean(games.map(({ scores, mine }) => scores[mine]?.[part] ?? 0)),
    winners: mean(games.flatMap(({ scores, winners }) => winners.map((seat) => scores[seat]?.[part] ?? 0))),
  }))
}

export function ticketsOf(games: readonly GameLine[]): { kept: number; completed: number } {
  const own = games.map(({ scores, mine }) => scores[mine])
  return {
    kept: own.reduce((sum, score) => sum + (score?.tickets.length ?? 0), 0),
    completed: own.reduce((sum, score) => sum + (score?.completed ?? 0), 0),
  }
}

/** How often each route was claimed, the favourite first. */
export function favourites(games: readonly GameLine[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const { routes } of games) for (const route of routes) counts.set(route, (counts.get(route) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
}

/** Accuracy of the reviewed games, the oldest first. */
export const accuracies = (games: readonly GameLine[]): readonly number[] =>
  [...games].sort((a, b) => a.ended - b.ended).flatMap(({ accuracy }) => (accuracy === null ? [] : [accuracy]))
