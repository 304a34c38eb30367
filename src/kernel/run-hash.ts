/**
 * A rolling hash of 64 bits over what a run did, so that two runs can be compared by one word.
 *
 * @since 0.1.0
 * @category kernel
 */
export interface RunHash {
  number(value: number): void
  text(value: string): void
  /** 16 lower-case hex digits of all that was put in so far. */
  digest(): string
}

/** Labels are few and come often, in one run and in the next. */
const textsMax = 16_384
const textWords = new Map<string, number>()

const doubles = new DataView(new ArrayBuffer(8))

/** @since 0.1.0 @category constructors */
export const makeRunHash = (): RunHash => {
  let low = 0x811c9dc5
  let high = 0x9e3779b9
  const mix = (word: number): void => {
    low = Math.imul(low ^ word, 0x01000193)
    low ^= low >>> 15
    high = Math.imul(high ^ word ^ low, 0x85ebca6b)
    high ^= high >>> 13
  }
  return {
    number(value) {
      if (value === (value | 0)) {
        mix(value)
        return
      }
      // Fractions of a millisecond count to the last bit.
      doubles.setFloat64(0, value)
      mix(doubles.getInt32(0))
      mix(doubles.getInt32(4))
    },
    text: (value) => mix(textWord(value)),
    digest: () => hex(high) + hex(low)
  }
}

const textWord = (value: string): number => {
  const known = textWords.get(value)
  if (known !== undefined) return known
  let word = 0x811c9dc5
  for (let at = 0; at < value.length; at++) word = Math.imul(word ^ value.charCodeAt(at), 0x01000193)
  if (textWords.size >= textsMax) textWords.clear()
  textWords.set(value, word)
  return word
}

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, "0")
