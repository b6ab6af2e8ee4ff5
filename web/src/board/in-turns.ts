/** Milliseconds after which something else may come first: two of them fit into a frame, with room for painting. */
const SLICE = 5

/** Does a long work a little at a time, so that nothing has to wait for it; what is returned gives it up. */
export function inTurns<T>(work: Iterator<void, T, void>, done: (found: T) => void): () => void {
  let timer = setTimeout(go)
  function go(): void {
    const until = performance.now() + SLICE
    for (;;) {
      const step = work.next()
      if (step.done) {
        done(step.value)
        return
      }
      if (performance.now() >= until) {
        timer = setTimeout(go)
        return
      }
    }
  }
  return () => clearTimeout(timer)
}
