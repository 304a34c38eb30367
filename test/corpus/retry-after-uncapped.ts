import { callsSettle } from "../../src/oracles/calls-settle.ts"
import { retryBudget } from "../../src/oracles/retry-budget.ts"
import { broken, chat, good, limited, overloaded } from "./chat-world.ts"
import type { CorpusBug } from "./corpus-bug.ts"
import { type AskModel, anthropicStream, openaiStream, patience } from "./sdk-calls.ts"

const dayS = 24 * 3_600

/** What providers have been seen to ask for: seconds, minutes, days (the quota of a week), a month (the quota of a month). */
const asked = [good, broken, overloaded, limited(2), limited(20), limited(277_403), limited(30 * dayS)]
const shortAsked = [good, broken, overloaded, limited(2), limited(20), limited(30 * dayS)]

const settles = { oracles: [callsSettle({ settlesWithinMs: 10 * 60_000 })], answers: asked }
const patient = {
  oracles: [retryBudget({ retriesMax: patience.maxRetries, toleranceMs: 1_000 })],
  answers: shortAsked
}
const both = {
  oracles: [
    retryBudget({ retriesMax: patience.maxRetries, toleranceMs: 1_000, totalMsMax: 10 * 60_000 }),
    callsSettle({ settlesWithinMs: 10 * 60_000 })
  ],
  answers: asked
}

/** The same, told not to come again where it would have to wait for more than a minute. */
const noLongerThanAMinute =
  (ask: AskModel): AskModel =>
  (call) =>
    ask({
      ...call,
      async fetch(input, init) {
        const response = await call.client.fetch(input, init)
        if (Number(response.headers.get("retry-after") ?? 0) <= 60) return response
        const headers = new Headers(response.headers)
        headers.set("x-should-retry", "false")
        return new Response(response.body, { status: response.status, headers })
      }
    })

const sleeps = /^calls-settle: a call has not settled/
const storms = /^retry-budget: a request in the window that Retry-After forbids/

/** A provider that says when to come again. */
export const retryAfterUncapped: CorpusBug = {
  row: 3,
  name: "retry-after-uncapped",
  title: "A Retry-After of days freezes the program for days; one of a month is no wait at all",
  options: {},
  cases: [
    { client: "openai 6.49.0, frozen", program: chat({ ask: openaiStream, ...settles }), fails: sleeps },
    { client: "openai 6.49.0, storm", program: chat({ ask: openaiStream, ...patient }), fails: storms },
    { client: "anthropic 1.14.0, frozen", program: chat({ ask: anthropicStream, ...settles }), fails: sleeps },
    { client: "anthropic 1.14.0, early", program: chat({ ask: anthropicStream, ...patient }), fails: storms },
    { client: "openai, waits capped", program: chat({ ask: noLongerThanAMinute(openaiStream), ...both }), fails: null },
    {
      client: "anthropic, waits capped",
      program: chat({ ask: noLongerThanAMinute(anthropicStream), ...both }),
      fails: null
    }
  ]
}
