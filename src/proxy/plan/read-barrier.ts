import { type Read, readWord, refuse } from "../../domain/field-readers.ts"

/** In characters: names of barriers that were released are kept. */
export const barrierLengthMax = 200

/** The name of a barrier. */
export const readBarrier: Read<string> = (value, at) => {
  const barrier = readWord(value, at)
  if (barrier.length <= barrierLengthMax) return barrier
  return refuse(at, `has ${barrier.length} characters; a barrier has at most ${barrierLengthMax}`)
}
