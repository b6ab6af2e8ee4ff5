import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { checkShuffle } from '../src/game/shuffle-check'
import { hmac, sha256, toHex } from '../src/game/sha256'

const bytes = (n: number): Uint8Array => Uint8Array.from({ length: n }, (_, i) => (i * 7 + n) & 255)

describe('our SHA-256', () => {
  it.each([0, 1, 31, 55, 56, 63, 64, 65, 119, 120, 1000])('agrees with the one of node on %i bytes', (n) => {
    expect(toHex(sha256(bytes(n)))).toBe(createHash('sha256').update(bytes(n)).digest('hex'))
    expect(toHex(hmac(bytes(n), bytes(50)))).toBe(createHmac('sha256', bytes(n)).update(bytes(50)).digest('hex'))
  })
})

describe('the check of a shuffle', () => {
  const seed = Buffer.from(bytes(32))
  const entropy = Buffer.from(JSON.stringify({ table: 'T', nonces: ['aa', 'bb'] }))
  const key = createHmac(
    'sha256',
    createHash('sha256')
      .update(Buffer.concat([Buffer.from('b'), seed]))
      .digest(),
  )
    .update(Buffer.concat([Buffer.from('branchline-shuffle-1'), entropy]))
    .digest('hex')
  const commitment = createHash('sha256').update(seed).digest('hex')
  const record = { seed: { bytes: seed.toString('hex') }, entropy: entropy.toString('hex'), key, commitment }

  it('holds for an honest game', () => {
    expect(checkShuffle(record, 'T', { nonce: 'bb', commitment })).toEqual({
      commitment: true,
      seen: true,
      nonce: true,
      key: true,
    })
  })
  it('says what it cannot know', () => {
    expect(checkShuffle(record, 'T', null)).toEqual({ commitment: true, seen: null, nonce: null, key: true })
  })
  it('notices another seed, another number and another key', () => {
    expect(
      checkShuffle({ ...record, seed: { bytes: '00'.repeat(32) } }, 'T', { nonce: 'bb', commitment }),
    ).toMatchObject({ commitment: false, seen: false, key: false })
    expect(checkShuffle(record, 'T', { nonce: 'cc', commitment })).toMatchObject({ nonce: false })
    expect(checkShuffle({ ...record, key: '00'.repeat(32) }, 'T', null)).toMatchObject({ key: false })
  })
})
