import { select } from 'd3-selection'
import 'd3-transition'
import { zoom, zoomIdentity, type ZoomTransform } from 'd3-zoom'

export interface View {
  readonly x: number
  readonly y: number
  readonly k: number
}

export interface Zoom {
  /** Shows the whole map. */
  fit(): void
  /** Brings a place of the board to the middle. */
  show(x: number, y: number): void
  by(factor: number): void
  stop(): void
}

interface Options {
  readonly frame: HTMLElement
  readonly size: { width: number; height: number }
  readonly onmove: (view: View) => void
  /** The movement is over; `fit` is the view of the whole map in this frame. */
  readonly onrest: (view: View, fit: View) => void
}

const CLOSEST = 8
const MARGIN = 0.985

/** Wheel, drag, pinch and double-tap, all on one transform. */
export function attachZoom({ frame, size, onmove, onrest }: Options): Zoom {
  const still = matchMedia('(prefers-reduced-motion: reduce)')
  const time = (): number => (still.matches ? 0 : 240)
  const target = select(frame)
  let fitted = true
  let now: ZoomTransform = zoomIdentity

  const whole = (): ZoomTransform => {
    const { clientWidth: w, clientHeight: h } = frame
    const k = Math.min(w / size.width, h / size.height) * MARGIN
    return zoomIdentity.translate((w - size.width * k) / 2, (h - size.height * k) / 2).scale(k)
  }
  const behaviour = zoom<HTMLElement, unknown>()
    .clickDistance(6)
    .tapDistance(14)
    .on('start', () => frame.classList.add('moving'))
    .on('zoom', (event: { transform: ZoomTransform; sourceEvent: unknown }) => {
      now = event.transform
      if (event.sourceEvent) fitted = false
      onmove(now)
    })
    .on('end', () => {
      frame.classList.remove('moving')
      onrest(now, whole())
    })
  const limit = (): void => {
    const { clientWidth: w, clientHeight: h } = frame
    const { k } = whole()
    // One may pull the map half a screen aside, not out of sight.
    const [px, py] = [w / k / 4, h / k / 4]
    const [ox, oy] = [Math.max(0, (w / k - size.width) / 2), Math.max(0, (h / k - size.height) / 2)]
    behaviour.scaleExtent([k * 0.8, Math.max(k * CLOSEST, 3)]).translateExtent([
      [-ox - px, -oy - py],
      [size.width + ox + px, size.height + oy + py],
    ])
  }
  const go = (to: ZoomTransform, ms = time()): void => {
    if (ms === 0) target.call(behaviour.transform, to)
    else target.transition().duration(ms).call(behaviour.transform, to)
  }
  const fit = (ms?: number): void => {
    fitted = true
    go(whole(), ms)
  }
  const resize = new ResizeObserver(() => {
    // A frame without room, as between two layouts, has nothing to fit the map into.
    if (frame.clientWidth === 0 || frame.clientHeight === 0) return
    limit()
    if (fitted) fit(0)
  })
  target.call(behaviour).on('dblclick.zoom', null)
  resize.observe(frame)
  limit()
  fit(0)
  return {
    fit: () => fit(),
    show(x, y) {
      fitted = false
      go(zoomIdentity.translate(frame.clientWidth / 2 - x * now.k, frame.clientHeight / 2 - y * now.k).scale(now.k))
    },
    by(factor) {
      fitted = false
      target.transition().duration(time()).call(behaviour.scaleBy, factor)
    },
    stop() {
      resize.disconnect()
      target.interrupt().on('.zoom', null)
      // A drag under way still listens to the window.
      behaviour.on('start', null).on('zoom', null).on('end', null)
    },
  }
}
