import { describe, expect, it } from "vitest"
import { claimHistory } from "../../src/oracles/claim-history.ts"
import { checkLinearizable } from "../../src/oracles/linearizability.ts"
import type { SeenEvent } from "../../src/oracles/run-event.ts"
import { claimModel } from "../../src/oracles/sequential-model.ts"
import { asked, by, decided, over, phase, registered } from "./events.ts"

const verdict = (...events: ReadonlyArray<SeenEvent>) =>
  checkLinearizable(claimHistory(events, { expectation: "turn" }), claimModel).type

const sent = by("c2", 0, { type: "attempt.sent", call: "a", attempt: 1 })
const arrived = by("c2", 0, { type: "attempt.arrived", call: "a", attempt: 1, request: 2, fingerprint: null })

describe("The history of an expectation", () => {
  it("can be explained when one request wins and the others lose, or join it", () => {
    const race = [registered("turn"), asked(1), asked(2), decided(1, "expectation", "turn"), decided(2, "mode")]
    expect(verdict(...race, decided(3, "replay", "turn"), over(2), over(1))).toBe("linearizable")
    expect(verdict(...race)).toBe("linearizable")
  })

  it("cannot when two win", () => {
    const events = [registered("turn"), asked(1), decided(1, "expectation", "turn"), asked(2)]
    expect(verdict(...events, decided(2, "expectation", "turn"), over(1), over(2))).toBe("violated")
  })

  it("cannot when a request lost, and was over before anybody had won", () => {
    const lost = [registered("turn"), asked(2), decided(2, "mode"), over(2)]
    expect(verdict(...lost, asked(1), decided(1, "expectation", "turn"), over(1))).toBe("violated")
  })

  it("lets a request claim from when its client sent it", () => {
    const late = [arrived, asked(2), decided(2, "mode"), over(2)]
    expect(verdict(sent, ...late, registered("turn"), asked(1), decided(1, "expectation", "turn"))).toBe("linearizable")
    const won = [registered("turn"), asked(1), decided(1, "expectation", "turn"), over(1)]
    expect(claimHistory([sent, ...won, ...late], { expectation: "turn" }).at(-1)).toMatchObject({
      process: "request 2",
      called: 0,
      returned: { output: false }
    })
  })

  it("has the claim of what was taken back", () => {
    const retired = [registered("turn"), phase("turn", "Retired"), asked(1)]
    expect(verdict(...retired, decided(1, "expectation", "turn"), over(1))).toBe("violated")
  })

  it("asks who contends where the expectation wants more than endpoint and kind", () => {
    const events = [registered("turn"), asked(2), decided(2, "mode"), over(2)]
    const history = claimHistory(events, { expectation: "turn", contends: () => false })
    expect(checkLinearizable(history, claimModel).type).toBe("linearizable")
    const all = claimHistory(events, { expectation: "turn", contends: () => true })
    expect(checkLinearizable(all, claimModel).type).toBe("violated")
  })
})
