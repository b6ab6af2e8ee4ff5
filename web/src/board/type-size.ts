import type { Lang } from './map'

/** The size of names in board units at a scale: near 12 px on a desktop, growing more slowly than the board. */
export function typeSize(lang: Lang, scale: number): number {
  const px =
    (lang === 'en' ? 13.2 : 12.8) *
    Math.min(1.6, Math.max(lang === 'en' ? 0.82 : 0.86, scale ** (scale < 1 ? 0.42 : 0.55)))
  return px / scale
}
