import { select } from 'd3-selection'
import 'd3-transition'
import { zoom, zoomIdentity, type ZoomTransform } from 'd3-zoom'
import type { Point } from './curve'

export interface View {
  readonly x: number
  readonly y: number
  readonly k: number
}

export interface Zoom {
  /** Shows the whole map. */
  fit(): void
  /** As it opens: the whole map, or where that leaves much of the frame empty, as much as fills it about a place. */
  home(): void
  /** Brings a place of the board to a place of the frame, the middle if none is said; `most`: no nearer than that. */
  show(x: number, y: number, at?: Point, most?: number): void
  by(factor: number): void
  stop(): void
}

interface Options {
  readonly frame: HTMLElement
  readonly size: { width: number; height: number }
  /** What the game is about just now, in board units. */
  readonly about: () => Point | null
  readonly onmove: (view: View) => void
  /** The movement is over; `fit` is the view of the whole map in this frame, which `opens` nearer or does not. */
  readonly onrest: (view: View, fit: View, opens: 'near' | 'whole') => void
}

const CLOSEST = 8
const MARGIN = 0.985
/** A frame so much of which the whole map would leave empty opens nearer, if it is as narrow as an upright phone's. */
const EMPTY = 0.25
const NARROW = 640

/** Wheel, drag, pinch and double-tap, all on one transform. */
export function attachZoom({ frame, size, about, onmove, onrest }: Options): Zoom {
  const still = matchMedia('(prefers-reduced-motion: reduce)')
  const time = (): number => (still.matches ? 0 : 240)
  const target = select(frame)
  // What a frame that changes its size goes back to; nothing once somebody has moved the map.
  let kept: 'home' | 'whole' | null = 'home'
  let now: ZoomTransform = zoomIdentity

  const whole = (): ZoomTransform => {
    const { clientWidth: w, clientHeight: h } = frame
    const k = Math.min(w / size.width, h / size.height) * MARGIN
    return zoomIdentity.translate((w - size.width * k) / 2, (h - size.height * k) / 2).scale(k)
  }
  const filled = (): ZoomTransform | null => {
    const { clientWidth: w, clientHeight: h } = frame
    const { k: least } = whole()
    const upright = w <= NARROW && innerWidth < innerHeight
    if (!upright || 1 - (size.width * size.height * least * least) / (w * h) < EMPTY) return null
    const k = Math.max(w / size.width, h / size.height)
    const at = about() ?? { x: size.width / 2, y: size.height / 2 }
    // No edge of the map comes into the frame.
    const shift = (middle: number, room: number, whole: number): number =>
      Math.min(0, Math.max(room - whole * k, room / 2 - middle * k))
    return zoomIdentity.translate(shift(at.x, w, size.width), shift(at.y, h, size.height)).scale(k)
  }
  const behaviour = zoom<HTMLElement, unknown>()
    .clickDistance(6)
    .tapDistance(14)
    .on('start', () => frame.classList.add('moving'))
    .on('zoom', (event: { transform: ZoomTransform; sourceEvent: unknown }) => {
      now = event.transform
      if (event.sourceEvent) kept = null
      onmove(now)
    })
    .on('end', () => {
      frame.classList.remove('moving')
      onrest(now, whole(), filled() ? 'near' : 'whole')
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
  const rest = (as: 'home' | 'whole', ms?: number): void => {
    kept = as
    go((as === 'home' && filled()) || whole(), ms)
  }
  const resize = new ResizeObserver(() => {
    // A frame without room, as between two layouts, has nothing to fit the map into.
    if (frame.clientWidth === 0 || frame.clientHeight === 0) return
    limit()
    if (kept) rest(kept, 0)
  })
  target.call(behaviour).on('dblclick.zoom', null)
  resize.observe(frame)
  limit()
  rest('home', 0)
  return {
    fit: () => rest('whole'),
    home: () => rest('home'),
    show(x, y, at = { x: frame.clientWidth / 2, y: frame.clientHeight / 2 }, most = Infinity) {
      kept = null
      const k = Math.min(now.k, Math.max(most, whole().k))
      go(zoomIdentity.translate(at.x - x * k, at.y - y * k).scale(k))
    },
    by(factor) {
      kept = null
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
