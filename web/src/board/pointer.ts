/** A finger that rests says "what is this?"; the tap that ends it picks nothing. */
const LONG_PRESS = 450

interface Ways {
  /** The finger has rested long enough, where it came down. */
  readonly onrest: (event: PointerEvent) => void
  /** A mouse without a button moves. */
  readonly onhover: (event: PointerEvent) => void
}

export interface Pointer {
  down(event: PointerEvent): void
  move(event: PointerEvent): void
  lift(event: PointerEvent): void
  /** Whether the click that comes now ends a long press. */
  readonly held: boolean
  /** Whether a finger was here last. WebKit's click does not say what made it. */
  readonly coarse: boolean
}

export function followPointer({ onrest, onhover }: Ways): Pointer {
  let press = 0
  let held = false
  let began = 0
  let coarse = false
  return {
    get held() {
      return held
    },
    get coarse() {
      return coarse
    },
    down(event) {
      clearTimeout(press)
      held = false
      began = event.timeStamp
      coarse = event.pointerType !== 'mouse'
      if (!coarse) return
      press = window.setTimeout(() => {
        held = true
        onrest(event)
      }, LONG_PRESS)
    },
    move(event) {
      if (event.pointerType === 'mouse' && event.buttons === 0) {
        coarse = false
        onhover(event)
      } else if (Math.hypot(event.movementX, event.movementY) > 3) clearTimeout(press)
    },
    lift(event) {
      clearTimeout(press)
      // Where the page had too much to do to hear the finger leave, its rest was ours.
      held &&= event.timeStamp - began >= LONG_PRESS
    },
  }
}
