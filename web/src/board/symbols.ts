/** Our own signs, 24×24, one solid shape each so that they hold at ten pixels. Holes follow the even-odd rule. */

const ray = (points: number, outer: number, inner: number, turn = -90): string =>
  Array.from({ length: points * 2 }, (_, i) => {
    const angle = ((turn + (i * 180) / points) * Math.PI) / 180
    const radius = i % 2 === 0 ? outer : inner
    return `${i === 0 ? 'M' : 'L'}${(12 + radius * Math.cos(angle)).toFixed(1)} ${(12 + radius * Math.sin(angle)).toFixed(1)}`
  }).join('') + 'Z'

const circle = (radius: number, x = 12, y = 12): string =>
  `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${radius * 2} 0a${radius} ${radius} 0 1 0 ${-radius * 2} 0Z`

export const SIGNS = {
  diamond: 'M12 1L21.5 12L12 23L2.5 12Z',
  wave: 'M1 14.5C3.5 5 9 4.5 12.6 10C14.8 13.4 17 13 18.8 8L23 9.7C20.2 19.3 14.8 19.9 11.2 14.3C9 10.9 6.8 11.3 5.1 16.2Z',
  triangle: 'M12 2L23 21.5H1Z',
  ring: circle(11) + circle(5.4),
  leaf: 'M2.5 21.5C.5 9 8 1.8 22.2 1.8C22.2 16 15 23.5 2.5 21.5ZM6 19.6L17.5 8.2L15.8 6.5L4.4 18Z',
  sun: ray(8, 11.8, 7.4),
  hexagon: 'M6.2 2H17.8L23.6 12L17.8 22H6.2L.4 12Z',
  cross: 'M8.4 1h7.2v7.4H23v7.2h-7.4V23H8.4v-7.4H1V8.4h7.4Z',
  square: 'M3 3H21V21H3Z',
  crescent: 'M15 1.4A11 11 0 1 0 22.6 15.8A8.8 8.8 0 0 1 15 1.4Z',
  bars: 'M2 3H8.6V21H2ZM15.4 3H22V21H15.4Z',
  star: ray(5, 12, 5),
} as const

export type Sign = keyof typeof SIGNS

const BY_COLOUR: Readonly<Record<string, Sign>> = {
  purple: 'diamond',
  blue: 'wave',
  orange: 'triangle',
  white: 'ring',
  green: 'leaf',
  yellow: 'sun',
  black: 'hexagon',
  red: 'cross',
  pink: 'diamond',
}

const SPARE: readonly Sign[] = ['square', 'crescent', 'bars', 'star']

/** The sign of a card colour; a colour we never heard of still gets one. */
export function signOf(colour: string): Sign {
  return BY_COLOUR[colour] ?? SPARE[[...colour].reduce((sum, c) => sum + c.charCodeAt(0), 0) % SPARE.length]!
}

/** The paint of a card colour and of the sign on it. */
export const paintOf = (colour: string): string => `var(--card-${colour}, var(--card-other))`
export const inkOn = (colour: string): string => `var(--on-${colour}, var(--on-other))`

/** A free space of that colour, its edge and the sign on it. */
export const slotOf = (colour: string): string => `var(--slot-${colour}, var(--slot-other))`
export const slotEdgeOf = (colour: string): string => `var(--slot-edge-${colour}, var(--slot-edge-other))`
export const slotSignOf = (colour: string): string => `var(--slot-sign-${colour}, var(--slot-sign-other))`

/** The wild's wheel: its wedges, clockwise from the top. */
export const WHEEL = ['red', 'orange', 'yellow', 'green', 'blue', 'purple'].map((colour, i) => {
  const point = (turn: number): string => {
    const angle = ((turn * 60 - 90) * Math.PI) / 180
    return `${(12 + 11 * Math.cos(angle)).toFixed(2)} ${(12 + 11 * Math.sin(angle)).toFixed(2)}`
  }
  return { colour, path: `M12 12L${point(i)}A11 11 0 0 1 ${point(i + 1)}Z` }
})

/** What carries a wild: a locomotive in profile, or a taxi. */
export const LOCOMOTIVE =
  'M1.5 4.5H9V6H8V10.5H12.2V6.2H11.4V4.4H15.6V6.2H14.8V10.5H20.4C22 10.5 22.8 11.6 22.8 13V16.4L23.6 18.6H20.9A2.7 2.7 0 0 1 15.6 18.6H13.9A2.7 2.7 0 0 1 8.6 18.6A3.4 3.4 0 0 1 2 18.6H1.2V14.5H2.5V6H1.5ZM4.2 6.6V10.2H6.4V6.6Z'
export const TAXI =
  'M9.8 3.5H14.2V5.5H16.2C17.2 5.5 17.9 6 18.3 6.9L20.2 11C21.8 11.3 23 12.4 23 14.2V18H20.9A3 3 0 0 1 15.1 18H8.9A3 3 0 0 1 3.1 18H1V14.2C1 12.4 2.2 11.3 3.8 11L5.7 6.9C6.1 6 6.8 5.5 7.8 5.5H9.8ZM8 7.6L6.5 11H11.1V7.6ZM12.9 7.6V11H17.5L16 7.6Z'
