/** Random bytes of this browser's own, as hex: its share in the shuffle. */
export function newNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
