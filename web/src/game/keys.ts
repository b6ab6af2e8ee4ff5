/** A table's letters: what one can do without looking for a button. */
import type { Pointing } from './pointing.svelte'
import type { Scene } from './scene.svelte'
import { settings } from './settings.svelte'

/** Does what a key stands for; returns whether it stands for anything now. */
export function byKey({ key, target }: KeyboardEvent, scene: Scene, pointing: Pointing, onlist: () => void): boolean {
  const typing =
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  if (scene.hidden || typing || document.querySelector('dialog[open]')) return false
  const { live, asking, view } = scene
  const { choices } = view
  const letter = key.toLowerCase()
  const slot = /^[1-9]$/.test(key) ? Number(key) - 1 : -1
  // What spends a turn is for those who want it so.
  const spends = asking && settings.keys
  if (spends && !scene.stage.swept && choices.row.includes(slot)) void live.act({ is: 'draw', slot })
  else if (letter === 'd' && spends && choices.deck) void live.act({ is: 'draw', slot: null })
  else if (letter === 't' && spends && choices.tickets) void live.act({ is: 'tickets' })
  else if (letter === 'r') onlist()
  else if (letter === 'u' && live.message?.undo) void live.undo()
  else if (letter === 'h' && asking && scene.table.hints) void scene.stage.hint()
  else if (key === 'Escape' && pointing.building) pointing.building = null
  else return false
  return true
}
