import { ScriptedResponse } from "../../src/index.ts"
import { callsSettle } from "../../src/oracles/calls-settle.ts"
import { broken, chat, good, limited, reset, slow } from "./chat-world.ts"
import type { CorpusBug } from "./corpus-bug.ts"
import {
  anthropicFinal,
  anthropicStream,
  anthropicUntilStop,
  openaiFinal,
  openaiStream,
  openaiUntilFinish
} from "./sdk-calls.ts"

const heldOpen = (): ScriptedResponse => ScriptedResponse.fault("hold_open")

const world = { oracles: [callsSettle()], answers: [good, slow, broken, reset, limited(2), heldOpen] }
const fails = /^the program hangs/

/** A provider some of whose answers leave the body open behind their last event. */
export const doneIsNoEnd: CorpusBug = {
  row: 5,
  name: "done-is-no-end",
  title: "The last event does not end the stream, only the end of the body does",
  options: { network: { timeouts: { headersMs: 0, bodyMs: 0 } } },
  cases: [
    { client: "openai 6.49.0", program: chat({ ask: openaiStream, ...world }), fails },
    { client: "openai 6.49.0, final answer", program: chat({ ask: openaiFinal, ...world }), fails },
    { client: "anthropic 1.14.0", program: chat({ ask: anthropicStream, ...world }), fails },
    { client: "anthropic 1.14.0, final", program: chat({ ask: anthropicFinal, ...world }), fails },
    { client: "openai, left at the finish", program: chat({ ask: openaiUntilFinish, ...world }), fails: null },
    { client: "anthropic, left at the stop", program: chat({ ask: anthropicUntilStop, ...world }), fails: null }
  ]
}
