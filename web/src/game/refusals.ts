/** Why something was refused, in words that are true where they are said. */
import { t, words, type Key } from '../text/text.svelte'
import type { Problem, ViewJson, WhyNot } from '../wire/messages'
import { Refused } from '../wire/rest'
import { colourName } from './sayings'

export interface Told {
  readonly text: string
  /** The rule that refuses, where one does. */
  readonly rule: string | null
}
type Stage = ViewJson['stage']

/** What has to be answered before anything else may be done. */
const QUESTIONS: Partial<Record<Stage, Key>> = {
  'second-draw': 'why.second-card',
  'tunnel-owed': 'why.tunnel-first',
  'ticket-offer': 'why.tickets-first',
  opening: 'why.tickets-first',
}
/** The question that is open, by its name. */
export const openQuestion = (stage: Stage): Told => ({
  text: t(QUESTIONS[stage] ?? 'why.question-open'),
  rule: 'R3.12',
})

/** A refusal; `stage` is what the game waits for meanwhile. */
export function told(problem: Problem, stage?: Stage): Told {
  return (
    say(problem.code, problem.rule, {}, stage) ?? { text: t('why.other', { text: problem.text }), rule: problem.rule }
  )
}

/** One reason why a route can't be claimed. */
export function toldWhy(why: WhyNot, stage: Stage): Told {
  return say(why.reason, why.rule, why.missing, stage) ?? { text: why.reason, rule: why.rule }
}

/** Whatever went wrong, in a sentence. */
export const errorText = (error: unknown): string =>
  error instanceof Refused ? told(error.problem).text : String(error)

function say(
  code: string,
  rule: string | null,
  missing: Readonly<Record<string, number>>,
  stage: Stage | undefined,
): Told | null {
  if (code === 'question-open' && stage) return openQuestion(stage)
  const key = `why.${code}`
  if (!words.has(key)) return null
  // How many are missing is not always known: then no number is said.
  const [colour = '', n = 0] = Object.entries(missing)[0] ?? []
  const name = colour === 'cars' ? '' : colourName(colour)
  return { text: t(key, { n, colour: name, any: colour === 'grey' ? 'yes' : 'no' }), rule }
}
