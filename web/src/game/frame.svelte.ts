/** How much room there is. */
class Frame {
  /** A phone held upright: the drawer holds what stands beside the board elsewhere. */
  narrow = $state(false)
  /** A phone held sideways. */
  low = $state(false)
  /** A tablet held sideways: what stands beside the board has little room. */
  tight = $state(false)
  constructor() {
    const watch = (query: string, set: (on: boolean) => void): void => {
      const list = matchMedia(query)
      set(list.matches)
      list.addEventListener('change', () => set(list.matches))
    }
    watch('(max-width: 860px) and (orientation: portrait)', (on) => (this.narrow = on))
    watch('(max-width: 1100px)', (on) => (this.tight = on))
    watch('(max-height: 560px) and (orientation: landscape)', (on) => (this.low = on))
  }
}
export const frame = new Frame()
