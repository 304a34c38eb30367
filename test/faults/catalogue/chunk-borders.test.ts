import { describe, expect, it } from "vitest"
import type { FaultName } from "../../../src/domain/fault-names.ts"
import type { Plan } from "../../../src/domain/plan.ts"
import { readEvents } from "../../../src/wire/sse-reader.ts"
import { answerOf, bodyOf, chunksIn, eventsIn, headOf, kinds, planOf, textOf, voices } from "./planned.ts"

/** Where one chunk ends and the next begins. */
const bordersOf = (plan: Plan): ReadonlyArray<number> => {
  let at = 0
  return chunksIn(plan)
    .map(({ byteLength }) => {
      at += byteLength
      return at
    })
    .slice(0, -1)
}

const asHeard = (plan: Plan) => readEvents(textOf(plan))

const settings = { successText: "Grüße, 海と🌊", chunkSize: 3 }

describe.each<FaultName>(["split_frames", "split_utf8", "split_crlf", "crlf_stream", "bom_stream", "drip"])(
  "%s",
  (name) => {
    it("is heard as a good answer by those who read as the standard says", () => {
      for (const [title, voice] of voices) {
        const good = asHeard(planOf("success", { voice, settings }))

        expect([title, asHeard(planOf(name, { voice, settings }))]).toEqual([title, good])
      }
    })

    it("is a good answer as JSON, where its mark is taken off", () => {
      for (const [title, voice] of voices) {
        const good = textOf(planOf("success", { voice, kind: "reply", settings }))
        const body = textOf(planOf(name, { voice, kind: "reply", settings })).replace(/^\ufeff/, "")

        expect([title, JSON.parse(body)]).toEqual([title, JSON.parse(good)])
      }
    })
  }
)

describe("split_frames", () => {
  it("has one border in each event, and none between two", () => {
    for (const [, voice] of voices) {
      const plan = planOf("split_frames", { voice, settings })
      const frames = textOf(plan).split(/(?<=\n\n)/)
      let start = 0
      const middles = frames.map((frame) => {
        const { byteLength } = Buffer.from(frame)
        const middle = start + Math.floor(byteLength / 2)
        start += byteLength
        return middle
      })

      expect(bordersOf(plan)).toEqual(middles)
      expect(eventsIn(plan)).toBe(frames.length)
    }
  })
})

describe("split_utf8", () => {
  const isInside = (body: Buffer, at: number) => ((body[at] ?? 0) & 0xc0) === 0x80

  it.each([settings.successText, "plain", "lone \udc00", "\ud83c"])(
    "has a border at every place in every character of several bytes of %j",
    (successText) => {
      for (const [, voice] of voices) {
        for (const kind of kinds) {
          const plan = planOf("split_utf8", { voice, kind, settings: { successText } })
          const body = bodyOf(plan)
          const borders = bordersOf(plan)

          expect(borders.length).toBeGreaterThan(3)
          expect(borders).toEqual(Array.from(body.keys()).filter((at) => isInside(body, at)))
          expect(headOf(plan).headers["content-length"]).toBeUndefined()
        }
      }
    }
  )

  it("says the text that was asked for where that has such characters, and another where it has none", () => {
    for (const [, voice] of voices) {
      const said = (successText: string) =>
        textOf(planOf("split_utf8", { voice, kind: "reply", settings: { successText } }))

      expect(said("Grüße")).toContain("Grüße")
      expect(said("plain")).toContain("mock response, réponse 🌊 回復")
    }
  })
})

describe("split_crlf", () => {
  it("has a border in every line end, and no line end without one", () => {
    for (const [, voice] of voices) {
      for (const kind of kinds) {
        const plan = planOf("split_crlf", { voice, kind, settings })
        const body = bodyOf(plan)
        const lineEnds = Array.from(body.keys()).filter((at) => body.toString("latin1", at - 1, at + 1) === "\r\n")

        expect(lineEnds.length).toBeGreaterThan(3)
        expect(bordersOf(plan)).toEqual(lineEnds)
        expect(body.toString("latin1").replaceAll("\r\n", "")).not.toMatch(/[\r\n]/)
      }
    }
  })

  it("counts an event when its line feed is sent too", () => {
    for (const [, voice] of voices) {
      const { steps } = answerOf("split_crlf", { voice })
      const chunks = steps.flatMap((step) => (step.kind === "bytes" ? [step] : []))
      const last = chunks.at(-1)

      expect([Buffer.from(last?.bytes ?? "").toString(), last?.events]).toEqual(["\n", 1])
      for (const { bytes, events } of chunks.filter((chunk) => chunk.events > 0)) {
        expect([Buffer.from(bytes).toString().startsWith("\n"), events]).toEqual([true, 1])
      }
    }
  })
})

describe("crlf_stream", () => {
  it("ends every line in CR and LF, an event a chunk", () => {
    for (const [, voice] of voices) {
      const plan = planOf("crlf_stream", { voice, settings })

      expect(textOf(plan).replaceAll("\r\n", "")).not.toMatch(/[\r\n]/)
      expect(chunksIn(plan).every((chunk) => chunk.toString().endsWith("\r\n\r\n"))).toBe(true)
    }
  })
})

describe("bom_stream", () => {
  it("begins with one mark and has no other", () => {
    for (const [, voice] of voices) {
      for (const kind of kinds) {
        const body = bodyOf(planOf("bom_stream", { voice, kind }))

        expect([...body.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
        expect(body.toString("utf8").lastIndexOf("\ufeff")).toBe(0)
      }
    }
  })
})

describe("drip", () => {
  it("sends each byte by itself, with a pause before the next", () => {
    for (const [, voice] of voices) {
      for (const kind of kinds) {
        const plan = planOf("drip", { voice, kind, settings: { ...settings, chunkDelayMs: 4 } })
        const rest = plan.steps.slice(1)

        expect(
          rest.filter((_, at) => at % 2 === 0).every((step) => step.kind === "write" && step.bytes.length === 1)
        ).toBe(true)
        expect(new Set(rest.filter((_, at) => at % 2 === 1).map((step) => JSON.stringify(step)))).toEqual(
          new Set(['{"kind":"pause","ms":4}'])
        )
        expect(rest.at(-1)?.kind).toBe("write")
      }
    }
  })
})
