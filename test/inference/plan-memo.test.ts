import { expect, test } from "vitest"
import type { Plan } from "../../src/domain/plan.ts"
import type { InferenceRequest } from "../../src/inference/inference-request.ts"
import { makePlanMemo } from "../../src/inference/plan-memo.ts"
import { makeServerState } from "../../src/inference/server-state.ts"

const stateOf = () => makeServerState({ profile: "full", models: undefined, token: null })

/** What a memo looks at of a request. */
const request = (text: string, { endpoint = "ChatCompletions", kind = "auxiliary" } = {}) =>
  ({ endpoint, kind, body: { text, value: null } }) as unknown as InferenceRequest

const planOf = (bytes: string): Plan => ({
  steps: [{ kind: "write", bytes, events: 0 }],
  ending: "end",
  crossesAt: 0,
  keepAlive: false
})

const memoOf = (state = stateOf()) => {
  const memo = makePlanMemo(state)
  let made = 0
  const ask = (asked: InferenceRequest, bytes = "answer"): boolean => {
    const before = made
    memo.planFor(asked, () => {
      made++
      return planOf(bytes)
    })
    return made > before
  }
  return { state, ask }
}

test("a plan is made once for requests that are alike, and anew for others", () => {
  const { ask } = memoOf()

  expect([ask(request("a")), ask(request("a"))]).toEqual([true, false])
  expect(ask(request("b"))).toBe(true)
  expect(ask(request("a", { endpoint: "Messages" }))).toBe(true)
  expect(ask(request("a", { kind: "foreground" }))).toBe(true)
  expect(ask(request("a"))).toBe(false)
})

// Seen to fail for each of them when it is left out of the comparison.
test.each<[string, (state: ReturnType<typeof stateOf>) => void]>([
  ["the profile", (state) => void Object.assign(state, { profile: "compact" })],
  ["the text", (state) => void Object.assign(state, { mode: { kind: "fixed", text: "b" } })],
  ["the stop reason", (state) => void Object.assign(state, { stopReason: "refusal" })],
  ["the delay", (state) => void Object.assign(state, { chunkDelayMs: 5 })]
])("what was made before %s changed is not given any more", (_, change) => {
  const { state, ask } = memoOf()
  ask(request("a"))
  change(state)

  expect([ask(request("a")), ask(request("a"))]).toEqual([true, false])
})

test("it is bounded: by its entries, and by what each of them holds", () => {
  const { ask } = memoOf()
  for (let place = 0; place <= 32; place++) ask(request(`${place}`))

  expect([ask(request("32")), ask(request("1")), ask(request("0"))]).toEqual([false, false, true])
  const long = request("x".repeat(4_097))
  expect([ask(long), ask(long)]).toEqual([true, true])
  const large = request("large")
  expect([ask(large, "x".repeat(32_769)), ask(large, "x".repeat(32_768)), ask(large)]).toEqual([true, true, false])
})
