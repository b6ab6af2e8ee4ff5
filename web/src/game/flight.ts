/** Cards that fly from where they were to where they go. What is shown underneath is already true. */
import { mount, unmount } from 'svelte'
import Card from '../panels/Card.svelte'
import { motion } from './settings.svelte'

const spot = (name: string): DOMRect | null => {
  const found = [...document.querySelectorAll<HTMLElement>(`[data-spot="${CSS.escape(name)}"]`)].find(
    (element) => element.offsetParent !== null,
  )
  return found?.getBoundingClientRect() ?? null
}

export function fly(from: string, to: readonly string[], colour: string | null, delay = 0): void {
  const factor = motion()
  if (factor === 0 || document.hidden) return
  const start = spot(from)
  const end = to.map(spot).find((box) => box !== null)
  if (!start || !end) return
  const target = document.createElement('div')
  target.style.cssText = 'position:fixed;left:0;top:0;z-index:60;pointer-events:none;opacity:0'
  target.setAttribute('aria-hidden', 'true')
  document.body.append(target)
  const card = mount(Card, { target, props: { colour, width: 44 } })
  const at = (box: DOMRect): string =>
    `translate(${box.left + box.width / 2 - 22}px, ${box.top + box.height / 2 - 31}px)`
  const flight = target.animate(
    [
      { transform: `${at(start)} scale(1)`, opacity: 1 },
      { transform: `${at(end)} scale(0.75)`, opacity: 0.9 },
    ],
    { duration: 300 * factor, delay: delay * factor, easing: 'cubic-bezier(0.2, 0.7, 0.3, 1)', fill: 'forwards' },
  )
  void flight.finished.finally(() => {
    void unmount(card)
    target.remove()
  })
}
