/** Whether a finished game was dealt as promised: checked here, from the record and what this browser remembers. */
import type { Sealed } from './settings.svelte'
import { fromHex, hmac, join, sha256, toHex } from './sha256'

export type Verdict = boolean | null
export interface Checked {
  /** The seed's fingerprint is the one told before the game. */
  readonly commitment: Verdict
  /** That fingerprint is the one this browser saw. */
  readonly seen: Verdict
  /** This browser's number went into the deal. */
  readonly nonce: Verdict
  /** The key of the shuffles follows from seed and numbers. */
  readonly key: Verdict
}

interface Told {
  readonly commitment?: unknown
  readonly entropy?: unknown
  readonly key?: unknown
  readonly seed?: unknown
}

/** docs/records.md: key = HMAC-SHA-256(SHA-256(type byte + seed), "branchline-shuffle-1" + entropy). */
export function checkShuffle(record: Told, table: string, sealed: Sealed | null): Checked {
  const seed =
    typeof record.seed === 'object' && record.seed !== null && 'bytes' in record.seed ? String(record.seed.bytes) : null
  const text = (value: unknown): string => (typeof value === 'string' ? value : '')
  const commitment = text(record.commitment)
  const entropy = fromHex(text(record.entropy))
  if (seed === null) return { commitment: null, seen: null, nonce: null, key: null }
  const bytes = fromHex(seed)
  const fingerprint = toHex(sha256(bytes))
  let told: { table?: unknown; nonces?: unknown } = {}
  try {
    told = JSON.parse(new TextDecoder().decode(entropy)) as typeof told
  } catch {
    // Then nothing of it can be ours.
  }
  const nonces = Array.isArray(told.nonces) ? told.nonces : []
  const key = hmac(sha256(seedBytes(bytes)), join(new TextEncoder().encode('branchline-shuffle-1'), entropy))
  return {
    commitment: fingerprint === commitment,
    seen: sealed ? sealed.commitment === fingerprint : null,
    nonce: sealed ? told.table === table && nonces.includes(sealed.nonce) : null,
    key: toHex(key) === record.key,
  }
}

const seedBytes = (bytes: Uint8Array): Uint8Array => join(new TextEncoder().encode('b'), bytes)
