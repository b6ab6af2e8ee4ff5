/** Calls `onturn` with 1, 2, … up to `total`, a pause before each; the returned function stops it. */
export function oneByOne(total: number, pause: number, onturn: (n: number) => void): () => void {
  let done = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const next = (): void => {
    if (done >= total) return
    timer = setTimeout(() => {
      done += 1
      onturn(done)
      next()
    }, pause)
  }
  next()
  return () => clearTimeout(timer)
}
