/** What a ticket, a station or the final count lights on the board. */
export interface Highlight {
  readonly cities: ReadonlySet<string>
  readonly routes: ReadonlySet<string>
  /** A done ticket is lit in another tone than an open one. */
  readonly done?: boolean
  /** Not to be acted on now. */
  readonly faint?: boolean
}

/** A ticket on offer, drawn as a line between its cities with what it is worth. */
export interface Tie {
  readonly id: string
  readonly a: string
  readonly b: string
  readonly text: string
  /** Whether the player means to keep it. */
  readonly chosen: boolean
}
