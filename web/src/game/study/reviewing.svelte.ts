/** The review of the game shown: asked for, waited for, and there. */
import type { ReviewDecision, ReviewJson, ReviewState } from '../../wire/messages'
import { Refused, rest } from '../../wire/rest'
import { errorText } from '../refusals'
import { who } from '../who.svelte'

/** Milliseconds between looks at how far it is. */
const LOOK = 700
/** The same while the server does not answer, or has too much to do. */
const LATER = 3000

export class Reviewing {
  state = $state.raw<ReviewState | null>(null)
  problem = $state('')
  /** Whether it was being made and is no longer: the server that was at it has ended. */
  cut = $state(false)
  depth = $state(2)
  private timer: ReturnType<typeof setTimeout> | undefined
  private gone = false

  /** Of a table, or of a record that only this page has. */
  constructor(
    private readonly table: string | null,
    private readonly record: string | null,
  ) {}

  get review(): ReviewJson | null {
    return this.state?.review ?? null
  }
  get waits(): boolean {
    return this.state?.state === 'waiting' || this.state?.state === 'running'
  }
  /** What cost more than the noise, in the order of the game. */
  readonly moments = $derived.by((): readonly ReviewDecision[] =>
    (this.review?.decisions ?? []).filter(({ grade }) => grade !== 'none'),
  )

  /** Looks whether there is one already, the deepest first. */
  async find(): Promise<void> {
    if (!this.table) return
    await this.try(async () => {
      let found: ReviewState | null = null
      for (const depth of [3, 2, 1]) {
        const state = await rest.reviewOf(this.table!, depth)
        if (state.state === 'done' || state.state === 'running' || state.state === 'waiting') {
          found = state
          break
        }
      }
      return found
    })
  }
  async ask(): Promise<void> {
    await this.try(async () => {
      await who.somebody()
      return this.table ? rest.review(this.table, this.depth) : rest.reviewRecord(this.record ?? '', this.depth)
    })
  }
  stop(): void {
    this.gone = true
    clearTimeout(this.timer)
  }

  private async try(find: () => Promise<ReviewState | null>): Promise<void> {
    try {
      const state = await find()
      if (this.gone) return
      this.problem = ''
      this.cut = this.waits && state?.state === 'none'
      this.state = state
      if (state) this.depth = state.depth
      this.lookIn(LOOK)
    } catch (error) {
      if (this.gone) return
      this.problem = errorText(error)
      if (passes(error)) this.lookIn(LATER)
      else this.state = null
    }
  }
  private lookIn(time: number): void {
    if (this.waits) this.timer = setTimeout(() => void this.look(), time)
  }
  private look(): Promise<void> {
    const { game, depth } = this.state!
    return this.try(() => (this.table ? rest.reviewOf(game, depth) : rest.reviewOfRecord(game, depth)))
  }
}

/** Whether it is worth asking again. */
const passes = (error: unknown): boolean =>
  error instanceof Refused && (error.status === 0 || error.status === 429 || error.status >= 500)
