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
  lift(): void
  /** Whether the click that comes now ends a long press. */
  readonly held: boolean
}

export function followPointer({ onrest, onhover }: Ways): Pointer {
  let press = 0
  let held = false
  return {
    get held() {
      return held
    },
    down(event) {
      clearTimeout(press)
      held = false
      if (event.pointerType === 'mouse') return
      press = window.setTimeout(() => {
        held = true
        onrest(event)
      }, LONG_PRESS)
    },
    move(event) {
      if (event.pointerType === 'mouse' && event.buttons === 0) onhover(event)
      else if (Math.hypot(event.movementX, event.movementY) > 3) clearTimeout(press)
    },
    lift: () => clearTimeout(press),
  }
}
