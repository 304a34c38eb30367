import { Option, Tracer } from "effect"
import { derive, fmix } from "../kernel/derive-seed.ts"

/**
 * Effect's own spans, with ids that are hashed from run seed, actor and running number: ids are no choices, and never repeat.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeEffectTracer = (seed: number, actor: string): Tracer.Tracer => {
  const salts = [0, 1, 2, 3, 4, 5].map((word) => derive(seed, `effect/${actor}/span/${word}`))
  let spans = 0
  return Tracer.make({
    span(options) {
      const ordinal = ++spans
      const hex = salts.map((salt) => wordHex(salt, ordinal)).join("")
      const span = new Tracer.NativeSpan(options)
      span._spanId = hex.slice(0, 16)
      span._traceId = Option.getOrUndefined(options.parent)?.traceId ?? hex.slice(16)
      return span
    }
  })
}

const wordHex = (salt: number, ordinal: number): string =>
  fmix((salt + ordinal) >>> 0)
    .toString(16)
    .padStart(8, "0")
