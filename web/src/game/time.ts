/** Time as one reads it: clocks, and how long a turn may take. */
import { t } from '../text/text.svelte'
import type { Pace } from '../wire/messages'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** What is left of a turn: seconds near the end, hours and minutes or days and hours before. */
export function clockText(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds))
  if (left >= DAY) return t('time.days', { n: Math.floor(left / DAY), hours: Math.floor((left % DAY) / HOUR) })
  if (left >= HOUR) return t('time.hours', { n: Math.floor(left / HOUR), minutes: Math.floor((left % HOUR) / MINUTE) })
  return `${Math.floor(left / MINUTE)}:${String(left % MINUTE).padStart(2, '0')}`
}

/** How long a turn may take. */
export function paceText(pace: Pace): string {
  const length = pace.length ?? 0
  if (pace.kind === 'days') return t('table.pace.days', { n: length })
  if (pace.kind !== 'seconds') return t('table.pace.none')
  return length % MINUTE === 0 && length > MINUTE
    ? t('table.pace.minutes', { n: length / MINUTE })
    : t('table.pace.seconds', { n: length })
}
