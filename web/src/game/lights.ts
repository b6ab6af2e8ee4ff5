/** What is pointed at beside the board, and the routes and cities it means. */
import type { Highlight } from '../board/highlight'
import type { Entry, Outlook, ViewJson } from '../wire/messages'
import type { Atlas } from './map-data'

/** A ticket, a player, a colour of the hand, or the route or city that a line of the log tells of. */
export type Mark =
  | { readonly is: 'ticket'; readonly id: string }
  | { readonly is: 'seat'; readonly seat: number }
  | { readonly is: 'colour'; readonly colour: string }
  | { readonly is: 'place'; readonly id: string }

export const same = (a: Mark | null, b: Mark | null): boolean => JSON.stringify(a) === JSON.stringify(b)

interface Known {
  readonly atlas: Atlas
  readonly view: Pick<ViewJson, 'owners' | 'closed' | 'stations'>
  readonly outlooks: ReadonlyMap<string, Outlook>
}

export function lightOf(mark: Mark, { atlas, view, outlooks }: Known): Highlight {
  switch (mark.is) {
    case 'ticket': {
      const { a, b } = atlas.ticket(mark.id)
      const outlook = outlooks.get(mark.id)
      const done = outlook?.completed ?? false
      const routes = done ? outlook?.path : outlook?.way?.routes
      return { cities: new Set([a, b]), routes: new Set(routes), done }
    }
    case 'seat': {
      const ids = (owned: Readonly<Record<string, number>>): Set<string> =>
        new Set(Object.keys(owned).filter((id) => owned[id] === mark.seat))
      return { cities: ids(view.stations), routes: ids(view.owners) }
    }
    case 'colour': {
      // A wild is for any route; what asks for it is a ferry.
      const takes = (colour: string, wilds: number): boolean =>
        mark.colour === 'wild' ? wilds > 0 : colour === mark.colour
      const free = atlas.file.routes.filter(
        ({ id, colour, wilds }) => takes(colour, wilds) && view.owners[id] === undefined && !view.closed.includes(id),
      )
      return { cities: new Set(), routes: new Set(free.map(({ id }) => id)) }
    }
    case 'place': {
      const route = atlas.route(mark.id)
      return route
        ? { cities: new Set([route.a, route.b]), routes: new Set([route.id]) }
        : { cities: new Set([mark.id]), routes: new Set() }
    }
  }
}

/** Where others claimed and built since a seat last did something itself, and the log's number of that. */
export function since(
  entries: readonly Entry[],
  seat: number | null,
  view: Pick<ViewJson, 'owners' | 'stations'>,
): { readonly n: number; readonly places: ReadonlySet<string> } {
  const mine = entries.findLast((entry) => entry.is === 'act' && entry.seat === seat)?.n ?? 0
  const places = new Set<string>()
  for (const { n, events } of entries) {
    if (n <= mine || seat === null) continue
    for (const event of events) {
      // What was taken back meanwhile is nobody's.
      if (event.is === 'claimed' && event.seat !== seat && view.owners[event.route] === event.seat)
        places.add(event.route)
      if (event.is === 'built' && event.seat !== seat && view.stations[event.city] === event.seat)
        places.add(event.city)
    }
  }
  return { n: mine, places }
}
