/** SHA-256 and HMAC over bytes. WebCrypto has them only on secure pages, and a game on a home network is not one. */
const K = new Uint32Array(64)
const START = new Uint32Array(8)
{
  const fraction = (x: number): number => ((x - Math.floor(x)) * 2 ** 32) | 0
  for (let n = 2, i = 0; i < 64; n++) {
    let prime = true
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false
    if (!prime) continue
    if (i < 8) START[i] = fraction(Math.sqrt(n))
    K[i++] = fraction(Math.cbrt(n))
  }
}
const turn = (x: number, n: number): number => (x >>> n) | (x << (32 - n))

export function sha256(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array((((message.length + 8) >> 6) << 6) + 64)
  padded.set(message)
  padded[message.length] = 0x80
  const data = new DataView(padded.buffer)
  data.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29))
  data.setUint32(padded.length - 4, message.length << 3)
  const state = START.slice()
  const w = new Uint32Array(64)
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) w[i] = data.getUint32(block + i * 4)
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15]!
      const y = w[i - 2]!
      w[i] =
        (w[i - 16]! + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + w[i - 7]! + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10))) | 0
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + one) | 0
      d = c
      c = b
      b = a
      a = (one + two) | 0
    }
    for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i]! + value) | 0
  }
  const out = new DataView(new ArrayBuffer(32))
  state.forEach((value, i) => out.setUint32(i * 4, value))
  return new Uint8Array(out.buffer)
}

export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(64)
  block.set(key.length > 64 ? sha256(key) : key)
  const inner = block.map((byte) => byte ^ 0x36)
  const outer = block.map((byte) => byte ^ 0x5c)
  return sha256(join(outer, sha256(join(inner, message))))
}

export const join = (a: Uint8Array, b: Uint8Array): Uint8Array => {
  const whole = new Uint8Array(a.length + b.length)
  whole.set(a)
  whole.set(b, a.length)
  return whole
}
export const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16))
export const toHex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
