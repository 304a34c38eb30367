import { type MockInferenceServer, ScriptedResponse } from "../../src/index.ts"
import { broken, chat, good, limited } from "./chat-world.ts"
import type { CorpusBug } from "./corpus-bug.ts"
import { anthropicWhole, openaiWhole, type SdkCall } from "./sdk-calls.ts"

/** Work that takes its time. */
const after = (headDelayMs: number) => (): ScriptedResponse => ScriptedResponse.fault("slow_head", { headDelayMs })

/** Work costs whoever asked for it: the same call may come twice only when it says that it is the same. */
const isWorkedOnOnce = (server: MockInferenceServer): void => {
  const seen = new Map<string, string | undefined>()
  for (const { body, headers, answer } of server.requests()) {
    // An answer that nobody waited for was worked on too.
    if (answer.status !== null && answer.status !== 200) continue
    const call = JSON.stringify(body)
    const key = headers.find(([name]) => name.toLowerCase() === "idempotency-key")?.[1]
    if (seen.has(call) && (key === undefined || seen.get(call) !== key)) {
      throw new Error(`a call was worked on twice, and nothing told that it was the same\n${call}`)
    }
    seen.set(call, key)
  }
}

const world = {
  oracles: [],
  answers: [good, after(1_000), after(9_000), after(30_000), broken, limited(2)],
  judge: isWorkedOnOnce
}
const withKey = ({ prompt }: SdkCall) => ({ headers: { "idempotency-key": prompt } })
const fails = /^a call was worked on twice, and nothing told that it was the same/

/** A provider whose work takes from no time to half a minute. */
export const retryDoesItTwice: CorpusBug = {
  row: 8,
  name: "retry-does-it-twice",
  title: "A retry after a timeout has the work done twice: no key tells that it is the same call",
  options: {},
  cases: [
    { client: "openai 6.49.0", program: chat({ ask: openaiWhole, ...world }), fails },
    { client: "anthropic 1.14.0", program: chat({ ask: anthropicWhole, ...world }), fails },
    { client: "openai, with a key", program: chat({ ask: openaiWhole, ...world, also: withKey }), fails: null },
    { client: "anthropic, with a key", program: chat({ ask: anthropicWhole, ...world, also: withKey }), fails: null }
  ]
}
