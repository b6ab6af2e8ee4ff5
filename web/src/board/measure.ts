import type { Lang } from './map'

/** Widths of names as the browser will set them, at one unit of type size. */
export async function nameMeasure(
  element: HTMLElement,
  lang: Lang,
  names: readonly string[],
): Promise<(text: string) => number> {
  const style = getComputedStyle(element)
  const font = `${style.getPropertyValue('--names-weight').trim() || 600} 100px ${style.getPropertyValue('--names').trim() || 'serif'}`
  await document.fonts.load(font, names.join('')).catch(() => [])
  const pen = document.createElement('canvas').getContext('2d')
  if (!pen) return (text) => text.length * 0.6
  pen.font = font
  if ('lang' in pen) (pen as { lang: string }).lang = lang
  const known = new Map<string, number>()
  return (text) => {
    let width = known.get(text)
    if (width === undefined) known.set(text, (width = pen.measureText(text).width / 100))
    return width
  }
}
