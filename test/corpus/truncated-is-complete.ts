import { ScriptedResponse } from "../../src/index.ts"
import { streamTermination } from "../../src/oracles/stream-termination.ts"
import { broken, chat, good, limited, slow } from "./chat-world.ts"
import type { CorpusBug } from "./corpus-bug.ts"
import { anthropicFinal, anthropicStream, openaiFinal, openaiStream } from "./sdk-calls.ts"

const cutShort = (): ScriptedResponse => ScriptedResponse.fault("partial_eof")
const dropped = (): ScriptedResponse => ScriptedResponse.fault("partial_disconnect")

const world = { oracles: [streamTermination()], answers: [good, slow, broken, limited(2), dropped, cutShort] }
const fails = /^stream-termination: a truncated stream taken for complete/

/** A provider, or a proxy before it, that now and then ends an answer too early: by a lost connection, or as if it were whole. */
export const truncatedIsComplete: CorpusBug = {
  row: 6,
  name: "truncated-is-complete",
  title: "A stream that ends early, and cleanly, passes for a complete answer",
  options: {},
  cases: [
    { client: "openai 6.49.0", program: chat({ ask: openaiStream, ...world }), fails },
    { client: "anthropic 1.14.0", program: chat({ ask: anthropicStream, ...world }), fails },
    { client: "openai 6.49.0, final answer", program: chat({ ask: openaiFinal, ...world }), fails: null },
    { client: "anthropic 1.14.0, final", program: chat({ ask: anthropicFinal, ...world }), fails: null }
  ]
}
