/** The words of what people learn from: they come with those screens, not before. */
import type { Lang } from '../board/map'
import en from './study/en'
import { words, type Args } from './text.svelte'

export type StudyKey = keyof typeof en
export type StudyTexts = Readonly<Record<StudyKey, string>>

const loaders: Readonly<Record<Lang, () => Promise<StudyTexts>>> = {
  en: () => Promise.resolve(en),
  'zh-Hant': async () => (await import('./study/zh-Hant')).default,
  'zh-Hans': async () => (await import('./study/zh-Hans')).default,
}

class StudyWords {
  texts = $state.raw<Readonly<Partial<Record<Lang, StudyTexts>>>>({ en })

  /** Has the words of a language at hand. */
  async use(lang: Lang): Promise<void> {
    if (this.texts[lang]) return
    const found = await loaders[lang]()
    this.texts = { ...this.texts, [lang]: found }
  }
}

const study = new StudyWords()

/** To be waited for before a screen is shown; it follows when the language is changed. */
export const studyWords = (): Promise<void> => study.use(words.lang)

export function s(key: StudyKey, args?: Args): string {
  const texts = study.texts[words.lang]
  if (!texts) void study.use(words.lang)
  return words.fill(`study ${key}`, (texts ?? en)[key], args)
}

/** Whether there is such a message: words of the server become keys. */
export const hasStudy = (key: string): key is StudyKey => key in en
