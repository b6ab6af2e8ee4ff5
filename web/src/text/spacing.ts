/** How Chinese stands beside Latin letters and numerals: a space between the two, none between Chinese and Chinese. */
const HAN = '\\p{Script=Han}'
const LATIN = '[A-Za-z0-9\\u00c0-\\u024f]'
const needless = new RegExp(`(${HAN}) +(?=${HAN})`, 'gu')
const before = new RegExp(`(${HAN})(?=${LATIN})`, 'gu')
const after = new RegExp(`(${LATIN})(?=${HAN})`, 'gu')

export const spaced = (text: string): string =>
  text.replace(needless, '$1').replace(before, '$1 ').replace(after, '$1 ')

/** The same for a sentence in which words stand that somebody else wrote, such as a name: those stay as they are. */
export function spacedAround(text: string, theirs: readonly unknown[]): string {
  let out = spaced(text)
  for (const word of theirs)
    if (typeof word === 'string' && spaced(word) !== word) out = out.replaceAll(spaced(word), word)
  return out
}
