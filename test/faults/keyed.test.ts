import { describe, expect, it } from "vitest"
import { faultNames } from "../../src/domain/fault-names.ts"
import { virtualFaults } from "../support/fault-world.ts"

describe("Keyed faults", () => {
  const body = { stream: true, prompt_cache_key: "s", messages: [{ role: "user", content: "hi" }] }
  const keyed = { sequence: ["random"], repeatLast: true, keyed: true, randomSeed: 1 } as const

  it.each(["empty", "empty_body", "partial_eof", "malformed_json", "error_event", "json_error_ok"] as const)(
    "recover from %s: it ends cleanly, and the same call again is its next attempt",
    (fault) => {
      const { server, answer } = virtualFaults({ ...keyed, randomWeights: { [fault]: 9, success: 1 } })

      for (let tries = 0; tries < 60 && server.requests.at(-1)?.behavior !== "success"; tries++) answer({ body })

      expect(server.requests.at(-1)?.behavior).toBe("success")
      expect(server.requests[0]?.behavior).toBe(fault)
    }
  )

  it("give a call that got a good answer the same again", () => {
    const randomWeights = { success: 1, max_tokens: 1, slow_success: 1 }
    const { server, ask, clock } = virtualFaults({ ...keyed, randomWeights })

    for (let times = 0; times < 12; times++) {
      ask({ body })
      clock.advance(1_000)
    }

    expect(new Set(server.requests.map(({ behavior }) => behavior)).size).toBe(1)
  })

  it("never stand still at a fault, whatever it is", () => {
    for (const fault of faultNames.filter((name) => !/success|max_tokens|parallel|slow_head/.test(name))) {
      const { server, ask, clock } = virtualFaults({ ...keyed, randomWeights: { [fault]: 1, success: 1 } })
      for (let times = 0; times < 30; times++) {
        ask({ body })
        clock.advance(1_000)
      }
      const behaviors = new Set(server.requests.map(({ behavior }) => behavior))
      expect([...behaviors], fault).toContain("success")
    }
  })

  it("do not go together with bursts, which follow the order of arrival", () => {
    const profile = {
      name: "mine",
      version: 1,
      kind: "pressure" as const,
      weights: [["success", 1]] as const,
      burst: { enter: 0.1, leave: 0.5, weights: [["stall", 1]] as const }
    }

    expect(() => virtualFaults({ ...keyed, profile })).toThrow(/keyed.*burst.*"mine"/)
    expect(() => virtualFaults({ ...keyed, keyed: false, profile })).not.toThrow()
  })
})
