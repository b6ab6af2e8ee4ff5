/** Who I am. There are no accounts: the first thing that needs a name makes one up, and it can be changed any time. */
import { rest } from '../wire/rest'
import type { Me } from '../wire/messages'
import { t, words } from '../text/text.svelte'

class Who {
  me = $state.raw<Me | null>(null)
  private asking: Promise<Me> | null = null

  /** Whoever the cookie says, if it says anybody. */
  async known(): Promise<Me | null> {
    return (this.me ??= await rest.me())
  }

  /** Somebody in any case. */
  async somebody(): Promise<Me> {
    this.asking ??= (async () => (await this.known()) ?? (await this.rename(t('name.default'))))().finally(
      () => (this.asking = null),
    )
    return this.asking
  }

  async rename(name: string): Promise<Me> {
    this.me = await rest.nameMe(name, words.lang)
    return this.me
  }
}

export const who = new Who()
