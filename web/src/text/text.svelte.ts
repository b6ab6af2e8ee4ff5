/** The words: one language at a time, switched without reloading. */
import { IntlMessageFormat } from 'intl-messageformat'
import type { Lang } from '../board/map'
import type { Key, Texts } from './en'
import en from './en'
import { spaced, spacedAround } from './spacing'

export type { Key } from './en'
export type Args = Readonly<Record<string, string | number | boolean>>

export const LANGS: readonly Lang[] = ['en', 'zh-Hant', 'zh-Hans']

const loaders: Readonly<Record<Lang, () => Promise<Texts>>> = {
  en: () => Promise.resolve(en),
  'zh-Hant': async () => (await import('./zh-Hant')).default,
  'zh-Hans': async () => (await import('./zh-Hans')).default,
}

/** Which of ours suits a list of the browser's languages. */
export function pickLang(wanted: readonly string[]): Lang {
  for (const tag of wanted) {
    const lower = tag.toLowerCase()
    if (lower.startsWith('zh')) return /hant|-tw|-hk|-mo/.test(lower) ? 'zh-Hant' : 'zh-Hans'
    if (lower.startsWith('en')) return 'en'
  }
  return 'en'
}

class Words {
  lang = $state<Lang>('en')
  /** Trains across a continent, or taxis in a city: some words differ. */
  world = $state<'rail' | 'city'>('rail')
  /** The map that is spoken of, where there is one. */
  map = $state<string | null>(null)
  private texts = $state.raw<Texts>(en)
  private compiled = new Map<string, IntlMessageFormat>()

  async use(lang: Lang): Promise<void> {
    const texts = await loaders[lang]()
    this.compiled = new Map()
    this.texts = texts
    this.lang = lang
    document.documentElement.lang = lang
  }

  say(key: Key, args: Args = {}): string {
    return this.fill(key, this.texts[key] ?? en[key], args)
  }

  /** A message with its arguments filled in; `key` tells it from all others. */
  fill(key: string, text: string, args: Args = {}): string {
    if (!text.includes('{')) return text
    let format = this.compiled.get(key)
    if (!format) {
      format = new IntlMessageFormat(text, this.lang === 'en' ? 'en' : this.lang, undefined, { ignoreTag: true })
      this.compiled.set(key, format)
    }
    const said = String(format.format({ world: this.world, ...args }))
    return this.lang === 'en' ? said : spacedAround(said, Object.values(args))
  }

  /** Whether there is such a message; codes of the server become keys. */
  has(key: string): key is Key {
    return key in en
  }

  /** What stands between one sentence and the next. */
  get gap(): string {
    return this.lang === 'en' ? ' ' : ''
  }
  /** Sentences one after another, each with its stop. */
  sentences(parts: readonly string[]): string {
    const stop = this.lang === 'en' ? '.' : '。'
    return parts
      .filter(Boolean)
      .map((part) => (/[.!?…。！？]$/u.test(part) ? part : part + stop))
      .join(this.gap)
  }
  /** Parts of one sentence. */
  clauses(parts: readonly string[]): string {
    return parts.filter(Boolean).join(this.lang === 'en' ? ', ' : '，')
  }
  /** What is named, and what is said of it. */
  label(name: string, of: string): string {
    return this.lang === 'en' ? `${name}: ${of}` : `${name}：${of}`
  }
  list(parts: readonly string[]): string {
    const list = new Intl.ListFormat(this.lang, { type: 'conjunction', style: 'long' }).format(parts)
    return this.lang === 'en' ? list : spaced(list)
  }
}

export const words = new Words()
export const t = (key: Key, args?: Args): string => words.say(key, args)
