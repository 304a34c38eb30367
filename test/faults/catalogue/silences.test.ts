import { describe, expect, it } from "vitest"
import { mock } from "../voices/written.ts"
import { bodyOf, eventsIn, headOf, kinds, lineOf, planOf, textOf, voices } from "./planned.ts"

const chat = mock("chat", { chunkShape: "minimal" })

describe("a silence", () => {
  it("of no_response has not even a head", () => {
    for (const [, voice] of voices) {
      for (const kind of kinds) expect(lineOf(planOf("no_response", { voice, kind }))).toBe("stall")
    }
  })

  it("of slow_head comes before the head of a good answer", () => {
    for (const [, voice] of voices) {
      for (const kind of kinds) {
        const { steps, ...rest } = planOf("slow_head", { voice, kind, settings: { headDelayMs: 700 } })
        const good = planOf("success", { voice, kind })

        expect(steps).toEqual([{ kind: "pause", ms: 700 }, ...good.steps])
        expect(rest.ending).toBe("end")
      }
    }
  })

  it("of partial_stall comes behind the text", () => {
    expect(lineOf(planOf("partial_stall", { voice: chat }))).toBe("head, event, event, event, event, stall")
    expect(lineOf(planOf("partial_stall", { voice: chat, kind: "reply" }))).toBe("head, body, stall")
  })

  it("of hold_open comes behind a whole answer, whose length nobody was told", () => {
    for (const [, voice] of voices) {
      for (const kind of kinds) {
        const plan = planOf("hold_open", { voice, kind })

        expect(textOf(plan)).toBe(textOf(planOf("success", { voice, kind })))
        expect(plan.ending).toBe("stall")
        expect(headOf(plan).headers["content-length"]).toBeUndefined()
      }
    }
  })
})

describe("comment_stall", () => {
  it.each([
    ["stream", ":\n\n"],
    ["reply", "\n"]
  ] as const)("of a %s stalls behind its head, and breaks the silence with what is no event", (kind, bytes) => {
    for (const [, voice] of voices) {
      for (const heartbeatMs of [1, 700]) {
        const plan = planOf("comment_stall", { voice, kind, settings: { heartbeatMs } })

        expect(lineOf(plan)).toBe("head, stall")
        expect([plan.crossesAt, plan.heartbeat]).toEqual([1, { ms: heartbeatMs, bytes }])
        expect(headOf(plan).headers["content-length"]).toBeUndefined()
      }
    }
  })
})

describe("a broken connection", () => {
  it.each(["half_close", "vanish"] as const)("of %s comes in the middle of the text", (name) => {
    for (const [, voice] of voices) {
      expect(textOf(planOf(name, { voice }))).toBe(textOf(planOf("partial_eof", { voice })))
      expect(textOf(planOf(name, { voice, kind: "reply" }))).toBe(
        textOf(planOf("partial_eof", { voice, kind: "reply" }))
      )
    }
  })

  it("of bad_chunk_framing is a line past the framing of HTTP", () => {
    for (const [, voice] of voices) {
      for (const kind of kinds) {
        const plan = planOf("bad_chunk_framing", { voice, kind })
        const last = plan.steps.at(-1)

        expect(last).toEqual({ kind: "write", bytes: "not-a-size\r\n", events: 0, isUnframed: true })
        expect(headOf(plan).headers["content-length"]).toBeUndefined()
        expect([plan.ending, eventsIn(plan)]).toEqual(["fin", kind === "stream" ? 1 : 0])
      }
    }
  })

  it("of length_mismatch comes one byte too early", () => {
    for (const [, voice] of voices) {
      for (const kind of kinds) {
        const plan = planOf("length_mismatch", { voice, kind, settings: { successText: "Grüße" } })
        const body = bodyOf(plan)

        expect(headOf(plan).headers["content-length"]).toBe(String(body.byteLength + 1))
        expect(body.equals(bodyOf(planOf("success", { voice, kind, settings: { successText: "Grüße" } })))).toBe(true)
        expect(plan.ending).toBe("fin")
      }
    }
  })
})
