/** What is pointed at beside the board, and what was clicked there and stays lit. */
import { same, type Mark } from './lights'

export class Lamp {
  /** Pointed at, for as long as it is. */
  over = $state.raw<Mark | null>(null)
  /** Clicked: lit until it is clicked again. */
  pinned = $state.raw<Mark | null>(null)

  get mark(): Mark | null {
    return this.over ?? this.pinned
  }
  pin(mark: Mark): void {
    this.pinned = same(this.pinned, mark) ? null : mark
    if (!this.pinned) this.over = null
  }
  off(): void {
    this.over = this.pinned = null
  }

  /** How a thing beside the board lights what it stands for while it is pointed at or reached by keys. */
  hold(mark: Mark): Record<string, unknown> {
    return {
      onpointerenter: (event: PointerEvent) => event.pointerType === 'mouse' && (this.over = mark),
      onpointerleave: () => (this.over = null),
      onfocus: (event: FocusEvent) => (event.currentTarget as Element).matches(':focus-visible') && (this.over = mark),
      onblur: () => (this.over = null),
    }
  }
  /** The same, and for good by a click. */
  button(mark: Mark): Record<string, unknown> {
    return { ...this.hold(mark), 'aria-pressed': same(this.pinned, mark), onclick: () => this.pin(mark) }
  }
}
