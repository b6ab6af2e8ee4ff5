/** What this browser remembers about how its person likes to play. */
import type { Lang } from '../board/map'
import type { TableInfo } from '../wire/messages'
import { LANGS, pickLang, words } from '../text/text.svelte'

export type BotPace = TableInfo['bots']
export const TEMPI: readonly BotPace[] = ['slow', 'normal', 'quick', 'at-once']

export interface Kept {
  lang: Lang | null
  theme: 'auto' | 'day' | 'night'
  motion: 'full' | 'quick' | 'off'
  confirm: 'always' | 'touch' | 'never'
  volume: number
  muted: boolean
  notify: boolean
  guided: boolean
  /** What a newcomer has done once. */
  learned: readonly ('drawn' | 'claimed' | 'special')[]
  /** Whether letters and digits may spend a turn. */
  keys: boolean
  /** Whether this person has said what to be called. */
  named: boolean
  /** How long bots seem to think. */
  tempo: BotPace
  map: string
  bots: number
  level: string
}

const KEY = 'branchline'
const FRESH: Kept = {
  lang: null,
  theme: 'auto',
  motion: 'full',
  confirm: 'always',
  volume: 0.5,
  muted: false,
  notify: false,
  guided: false,
  learned: [],
  keys: true,
  named: false,
  tempo: 'normal',
  map: 'europe',
  bots: 2,
  level: 'regular',
}

function read(): Kept {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept>
    return { ...FRESH, ...kept }
  } catch {
    return { ...FRESH }
  }
}

export const settings = $state<Kept>(read())

export function keep(change: Partial<Kept>): void {
  Object.assign(settings, change)
  try {
    localStorage.setItem(KEY, JSON.stringify(settings))
  } catch {
    // A private window forgets; the game goes on.
  }
  if (change.lang) void words.use(change.lang)
}

const dark = matchMedia('(prefers-color-scheme: dark)')
/** Whether the device itself asks for less motion. */
export const still = matchMedia('(prefers-reduced-motion: reduce)')

/** Applies theme, motion and language, now and when the device changes its mind. */
export function begin(): Promise<void> {
  const dress = (): void => {
    const night = settings.theme === 'night' || (settings.theme === 'auto' && dark.matches)
    const root = document.documentElement
    root.dataset['theme'] = night ? 'night' : 'day'
    root.dataset['motion'] = motion() === 0 ? 'off' : settings.motion
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', night ? '#0f1720' : '#f5f0e6')
  }
  dark.addEventListener('change', dress)
  still.addEventListener('change', dress)
  $effect.root(() => {
    $effect(dress)
  })
  const asked = settings.lang
  return words.use(asked && LANGS.includes(asked) ? asked : pickLang(navigator.languages))
}

/** How long things may move: a factor, 0 for not at all. */
export function motion(): number {
  if (still.matches || settings.motion === 'off') return 0
  return settings.motion === 'quick' ? 0.5 : 1
}

export const isTouch = (): boolean => matchMedia('(pointer: coarse)').matches
export const asksFirst = (): boolean => settings.confirm === 'always' || (settings.confirm === 'touch' && isTouch())

/** The nonce and the fingerprint this browser remembers of a table, to check its shuffle at the end. */
export interface Sealed {
  readonly nonce: string
  readonly commitment: string
}
export function remember(table: string, sealed: Sealed): void {
  try {
    localStorage.setItem(`${KEY}.sealed.${table}`, JSON.stringify(sealed))
  } catch {
    // Then it can't be checked here, and the page says so.
  }
}
export function recall(table: string): Sealed | null {
  try {
    return JSON.parse(localStorage.getItem(`${KEY}.sealed.${table}`) ?? 'null') as Sealed | null
  } catch {
    return null
  }
}
