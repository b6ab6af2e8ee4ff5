/** Why nothing can be drawn or built just now. What is legal is the server's word; this says what stands in the way. */
import { t } from '../text/text.svelte'
import type { ViewJson } from '../wire/messages'
import { openQuestion, type Told } from './refusals'

export function whyNoDraw(view: ViewJson, asking: boolean, whose: string, hasStations: boolean) {
  const ruled = (text: string, rule: string): Told => ({ text, rule })
  /** What holds for anything one might do. */
  const first = (): Told | null => {
    if (!asking)
      return whose ? ruled(t('draw.notNow', { who: whose }), 'R3.1') : { text: t('draw.sending'), rule: null }
    return view.stage === 'turn' ? null : openQuestion(view.stage)
  }
  const drawing = view.stage === 'second-draw'
  return {
    row(slot: number): Told {
      if (asking && drawing && view.row[slot] === 'wild') return ruled(t('why.wild-second'), 'R3.4')
      if (asking && view.row[slot] === null) return ruled(t('why.slot-empty'), 'R3.8')
      return first() ?? ruled(t('why.slot-empty'), 'R3.8')
    },
    deck(): Told {
      if (asking && view.deck === 0 && (drawing || view.stage === 'turn')) return ruled(t('why.deck-empty'), 'R3.8')
      return first() ?? ruled(t('why.deck-empty'), 'R3.8')
    },
    tickets: (): Told => first() ?? ruled(t('why.no-tickets'), 'R5.2'),
    station(): Told {
      const before = first()
      if (before) return before
      if (!hasStations) return ruled(t('why.no-stations'), 'R1.3')
      const mine = view.seats[view.seat ?? -1]
      if (!mine || mine.stations === 0) return ruled(t('why.stations-used'), 'R6.3')
      const built = Object.values(view.stations).filter((seat) => seat === view.seat).length
      return ruled(t('why.station-poor', { n: built + 1 }), 'R6.2')
    },
  }
}
