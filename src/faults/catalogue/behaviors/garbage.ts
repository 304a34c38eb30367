import { mulberry32 } from "../../../kernel/mulberry32.ts"
import { bodyOf } from "../answers.ts"
import type { Behavior } from "../behavior.ts"

const next = mulberry32(1)
const noise = Uint8Array.from({ length: 256 }, () => next() >>> 24)

/** Bytes that are no text, always the same ones, under the right content type. */
export const garbage: Behavior = {
  name: "garbage",
  summary: "binary garbage under the right content type",
  uses: [],
  outcome: "completed",
  stream: ({ voice }) => bodyOf(noise, { headers: voice.streamHeaders }),
  reply: () => bodyOf(noise)
}
