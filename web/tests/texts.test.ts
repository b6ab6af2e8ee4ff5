import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import mainEn from '../src/text/en'
import citedEn from '../src/text/en/cited'
import studyEn from '../src/text/study/en'
import studyHans from '../src/text/study/zh-Hans'
import studyHant from '../src/text/study/zh-Hant'
import mainHans from '../src/text/zh-Hans'
import citedHans from '../src/text/zh-Hans/cited'
import citedHant from '../src/text/zh-Hant/cited'
import { CODES, RULES } from '../src/wire/messages'
import mainHant from '../src/text/zh-Hant'

// Some words come later than others; none stands in both.
const en = { ...mainEn, ...studyEn }
const hant = { ...mainHant, ...studyHant }
const hans = { ...mainHans, ...studyHans }
const languages = { en, 'zh-Hant': hant, 'zh-Hans': hans } as const

/** Arguments a message may use; plural and select included, whatever branch they are in. */
function argumentsOf(parts: readonly MessageFormatElement[], into = new Set<string>()): Set<string> {
  for (const part of parts) {
    if (part.type === TYPE.literal || part.type === TYPE.pound) continue
    if ('value' in part) into.add(part.value)
    if (part.type === TYPE.plural || part.type === TYPE.select)
      for (const option of Object.values(part.options)) argumentsOf(option.value, into)
  }
  return into
}
const parsed = (text: string) => parse(text, { ignoreTag: true })

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return name === 'text' ? [] : sources(path)
    return /\.(ts|svelte)$/.test(name) ? [readFileSync(path, 'utf8')] : []
  })
}

describe('the words', () => {
  for (const [lang, texts] of Object.entries(languages)) {
    it(`${lang} has words for every code that the server refuses with`, () => {
      expect(CODES.filter((code) => !(`why.${code}` in texts))).toEqual([])
    })
  }
  it.each([citedEn, citedHant, citedHans])('explain every rule that a refusal names', (cited) => {
    expect(Object.keys(cited).sort()).toEqual([...RULES].sort())
  })
  for (const [lang, texts] of Object.entries(languages)) {
    it(`${lang} has every key and no other`, () => {
      expect(Object.keys(texts).sort()).toEqual(Object.keys(en).sort())
      expect(Object.entries(texts).filter(([, text]) => !text.trim())).toEqual([])
    })
    it(`${lang} parses, and asks for nothing that English does not know`, () => {
      for (const [key, text] of Object.entries(texts)) {
        const known = argumentsOf(parsed(en[key as keyof typeof en])).add('world')
        for (const name of argumentsOf(parsed(text))) expect(known, key).toContain(name)
      }
    })
  }

  it('are all used, and all that is used is there', () => {
    const code = sources('src').join('\n')
    const said = new Set([...code.matchAll(/['"`]([a-z]+(?:\.[\w-]+)+)['"`]/gi)].map((match) => match[1]!))
    // `t(\`status.${line.status}\`)` uses every key that begins so.
    const prefixes = [...code.matchAll(/`([a-z]+(?:\.[\w-]+)*\.)\$\{/gi)].map((match) => match[1]!)
    const unused = Object.keys(en).filter((key) => !said.has(key) && !prefixes.some((prefix) => key.startsWith(prefix)))
    expect(unused).toEqual([])
    const asked = [...code.matchAll(/\bt\(\s*'([^']+)'/g)].map((match) => match[1]!)
    expect(asked.filter((key) => !(key in mainEn))).toEqual([])
    const studied = [...code.matchAll(/\bs\(\s*'([^']+)'/g)].map((match) => match[1]!)
    expect(studied.filter((key) => !(key in studyEn))).toEqual([])
    expect(Object.keys(studyEn).filter((key) => key in mainEn)).toEqual([])
  })

  it('in the two kinds of Chinese keep to their own characters', () => {
    const simplifiedOnly = /[们这个来时会应车东说过还进选线击开关闭数张页总结务历录级设备发长单双门]/
    const traditionalOnly = /[們這個來時會應車東說過還進選線擊開關閉數張頁總結務歷錄級設備發長單雙門]/
    const skip = new Set(['lang.zh-Hant', 'lang.zh-Hans'])
    expect(Object.entries(hant).filter(([key, text]) => !skip.has(key) && simplifiedOnly.test(text))).toEqual([])
    expect(Object.entries(hans).filter(([key, text]) => !skip.has(key) && traditionalOnly.test(text))).toEqual([])
  })
})
