import { cancelled } from "../../src/oracles/cancel.ts"
import { broken, chat, good, limited, overloaded, slow } from "./chat-world.ts"
import type { CorpusBug } from "./corpus-bug.ts"
import { anthropicStream, anthropicWhole, openaiStream, openaiWhole } from "./sdk-calls.ts"

const world = {
  oracles: [cancelled({ settlesWithinMs: 100 })],
  answers: [good, slow, broken, overloaded, limited(5), limited(60)],
  abortsMs: [null, 1, 100, 1_000, 2_000, 10_000, 30_000]
}
const fails = /^cancel: an aborted call has not settled/

/** People give up, at any time. */
export const cancelInBackOff: CorpusBug = {
  row: 2,
  name: "cancel-in-back-off",
  title: "Who cancels while the SDK waits for its next try waits until that try",
  options: {},
  cases: [
    { client: "openai 6.49.0", program: chat({ ask: openaiStream, ...world }), fails },
    { client: "openai 6.49.0, no stream", program: chat({ ask: openaiWhole, ...world }), fails },
    { client: "anthropic 1.14.0", program: chat({ ask: anthropicStream, ...world }), fails: null },
    { client: "anthropic 1.14.0, no stream", program: chat({ ask: anthropicWhole, ...world }), fails: null }
  ]
}
