/** What tells one seat's cars from another's besides their paint. */

export const SEAT_COLOURS = ['blue', 'red', 'green', 'yellow', 'black'] as const
export type SeatColour = (typeof SEAT_COLOURS)[number]
export type Pattern = 'plain' | 'stripe' | 'dots' | 'chevron' | 'check'

export const PATTERN: Readonly<Record<SeatColour, Pattern>> = {
  blue: 'plain',
  red: 'stripe',
  green: 'dots',
  yellow: 'chevron',
  black: 'check',
}

/** A car is drawn 100 long and 46 wide about its middle, then laid on its space. */
export const CAR = { length: 100, width: 46 } as const

const dot = (x: number): string => `M${x - 9} 0a9 9 0 1 0 18 0a9 9 0 1 0 -18 0Z`
const chevron = (x: number): string => `M${x - 11} -15H${x - 1}L${x + 11} 0L${x - 1} 15H${x - 11}L${x + 1} 0Z`
const checks = [-33, -11, 11].flatMap((x, i) => [
  [x, i % 2 ? -15 : 0],
  [x + 11, i % 2 ? 0 : -15],
])

export const PATTERN_PATH: Readonly<Record<Pattern, string>> = {
  plain: '',
  stripe: 'M-29 -15H-19L-27 15H-37ZM-1 -15H9L1 15H-9ZM27 -15H37L29 15H19Z',
  dots: [-27, 0, 27].map(dot).join(''),
  chevron: [-25, 0, 25].map(chevron).join(''),
  check: checks.map(([x, y]) => `M${x} ${y}h11v15h-11Z`).join(''),
}

/** A station as it is drawn: its outline about 0, 0, how large it is beside a city's radius, how far it is lifted. */
export const STATION = {
  x: 17,
  top: -16.5,
  bottom: 14.5,
  lift: 0.25,
  scale: (attraction: boolean | undefined): number => 1 / (attraction ? 9 : 7.8),
} as const

/** A flag stuck into a city whose radius is 10: its two parts, and the box it takes. */
export const FLAG = {
  pole: 'M4 -4V-33',
  cloth: 'M5 -32.5L26 -25L5 -17.5Z',
  box: { left: 0, top: -36, right: 28, bottom: -8 },
} as const
