import { callsSettle } from "../../src/oracles/calls-settle.ts"
import { chat, good, slow } from "./chat-world.ts"
import type { CorpusBug } from "./corpus-bug.ts"
import { anthropicFinal, anthropicStream, givenUpAfter, openaiFinal, openaiStream, patience } from "./sdk-calls.ts"

const oracles = [callsSettle()]
const answers = [slow, good]
const hangs = /^the program hangs/

/** Nothing but the network is bad here: connections are reset, cut, held up and lost. */
export const stalledBody: CorpusBug = {
  row: 1,
  name: "stalled-body",
  title: "A stream that stalls hangs for ever: the timeout of the SDK ends with the head of the answer",
  options: {
    network: {
      faults: { rst: 1 / 40, cut: 1 / 40, stall: 1 / 40, drop: 1 / 40, refuse: 1 / 40 },
      // A fetch without timeouts of its own; the one of Node gives up after five minutes of silence.
      timeouts: { headersMs: 0, bodyMs: 0 }
    }
  },
  cases: [
    { client: "openai 6.49.0", program: chat({ ask: openaiStream, oracles, answers }), fails: hangs },
    { client: "openai 6.49.0, final answer", program: chat({ ask: openaiFinal, oracles, answers }), fails: hangs },
    { client: "anthropic 1.14.0", program: chat({ ask: anthropicStream, oracles, answers }), fails: hangs },
    { client: "anthropic 1.14.0, final", program: chat({ ask: anthropicFinal, oracles, answers }), fails: hangs },
    {
      client: "openai, given up after silence",
      program: chat({ ask: givenUpAfter(patience.timeout, openaiStream), oracles, answers }),
      fails: null
    },
    {
      client: "anthropic, given up after silence",
      program: chat({ ask: givenUpAfter(patience.timeout, anthropicStream), oracles, answers }),
      fails: null
    }
  ]
}
