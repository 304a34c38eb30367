const utf8 = new TextEncoder()

/**
 * FNV-1a, 32 bit, over the UTF-8 bytes of a text.
 *
 * **Source** fault-server.md, section 9.1.5
 *
 * @since 0.1.0
 * @category encoding
 */
export const fnv = (text: string): number => {
  let hash = 2166136261
  for (const byte of utf8.encode(text)) hash = Math.imul(hash ^ byte, 16777619)
  return hash >>> 0
}

/**
 * Spreads every bit of an unsigned 32-bit integer over all of them.
 *
 * **Source** fault-server.md, section 9.1.5
 *
 * @since 0.1.0
 * @category encoding
 */
export const fmix = (hash: number): number => {
  let h = hash
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/**
 * The seed of a stream of its own: another label, another stream.
 *
 * **Takes** a seed from 0 to 2^32 - 1 and any label; gives a seed
 * **Source** fault-server.md, section 9.1.5
 *
 * @since 0.1.0
 * @category constructors
 */
export const derive = (seed: number, label: string): number => fmix((seed ^ fnv(label)) >>> 0)
