import { describe, expect, it } from "vitest"
import type { FaultName } from "../../../src/domain/fault-names.ts"
import type { FaultSettings } from "../../../src/domain/fault-options.ts"
import { readEvents } from "../../../src/wire/sse-reader.ts"
import { type Asked, bodyOf, eventsIn, headOf, lineOf, planOf, textOf, voices, writesOf } from "./planned.ts"

const cuts: ReadonlyArray<FaultName> = [
  "cut_at_event",
  "cut_at_byte",
  "cut_in_character",
  "cut_before_blank_line",
  "cut_before_done"
]

const texts = ["mock response recovered", "x", "réponse 🌊", "🌊"]

const settingsOf = (successText: string, more: Partial<FaultSettings> = {}) => ({ successText, ...more })

const goodBody = (asked: Asked): Buffer => bodyOf(planOf("success", asked))

const isWhole = (bytes: Buffer): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

describe.each(cuts)("%s", (name) => {
  it("waits, and drops the connection as it was asked to", () => {
    for (const [, voice] of voices) {
      for (const kind of ["stream", "reply"] as const) {
        expect(lineOf(planOf(name, { voice, kind }))).toMatch(/, wait\(10\), fin$/)
        expect(lineOf(planOf(name, { voice, kind, settings: { resetMode: "rst", disconnectDelayMs: 0 } }))).toMatch(
          /, wait\(0\), rst$/
        )
      }
    }
  })

  it("sends a beginning of a good stream and nothing else", () => {
    for (const [title, voice] of voices) {
      const asked = { voice, settings: settingsOf("réponse 🌊") }
      const good = goodBody(asked)
      const cut = bodyOf(planOf(name, asked))

      expect([title, good.subarray(0, cut.byteLength).equals(cut)]).toEqual([title, true])
    }
  })

  it("sends a beginning of a JSON reply, whose whole length it announces", () => {
    for (const [title, voice] of voices) {
      const asked: Asked = { voice, kind: "reply", settings: settingsOf("réponse 🌊") }
      const good = goodBody(asked)
      const plan = planOf(name, asked)
      const cut = bodyOf(plan)

      expect([title, good.subarray(0, cut.byteLength).equals(cut)]).toEqual([title, true])
      expect(cut.byteLength).toBeLessThan(good.byteLength)
      expect(headOf(plan).headers["content-length"]).toBe(String(good.byteLength))
    }
  })
})

describe("cut_at_event", () => {
  it("sends exactly so many events, and all of them where there are fewer", () => {
    for (const [title, voice] of voices) {
      for (const text of texts) {
        const good = readEvents(textOf(planOf("success", { voice, settings: settingsOf(text) })))
        for (const cutAfterEvents of [0, 1, 2, 3, good.length - 1, good.length, good.length + 1, 1_000_000]) {
          const plan = planOf("cut_at_event", { voice, settings: settingsOf(text, { cutAfterEvents }) })
          const expected = good.slice(0, cutAfterEvents)

          expect([title, readEvents(textOf(plan))]).toEqual([title, expected])
          expect(eventsIn(plan)).toBe(expected.length)
        }
      }
    }
  })
})

describe("cut_at_byte", () => {
  it("sends exactly so many bytes of a stream, wherever they end, and counts the events that are whole", () => {
    for (const [title, voice] of voices) {
      for (const text of ["é🌊", "mock"]) {
        const settings = settingsOf(text, { chunkSize: 1 })
        const good = goodBody({ voice, settings })
        const wrong = Array.from({ length: good.byteLength + 3 }, (_, cutAfterBytes) => cutAfterBytes).filter(
          (cutAfterBytes) => {
            const plan = planOf("cut_at_byte", { voice, settings: { ...settings, cutAfterBytes } })
            const expected = good.subarray(0, cutAfterBytes)
            return !bodyOf(plan).equals(expected) || eventsIn(plan) !== readEvents(expected.toString("utf8")).length
          }
        )

        expect([title, wrong]).toEqual([title, []])
      }
    }
  })

  it("sends exactly so many bytes of a JSON reply, and never all of them", () => {
    for (const [title, voice] of voices) {
      const asked: Asked = { voice, kind: "reply", settings: settingsOf("é🌊") }
      const good = goodBody(asked)
      for (const cutAfterBytes of [0, 1, 64, good.byteLength - 1, good.byteLength, good.byteLength + 1]) {
        const plan = planOf("cut_at_byte", { ...asked, settings: { ...asked.settings, cutAfterBytes } })

        const expected = good.subarray(0, Math.min(cutAfterBytes, good.byteLength - 1))
        expect([title, bodyOf(plan).equals(expected)]).toEqual([title, true])
      }
    }
  })
})

describe("cut_in_character", () => {
  it("ends inside a character of several bytes, whatever the text", () => {
    for (const [title, voice] of voices) {
      for (const text of [...texts, "plain \ud83c", "é and then only letters", "\u007f"]) {
        for (const kind of ["stream", "reply"] as const) {
          const cut = bodyOf(planOf("cut_in_character", { voice, kind, settings: settingsOf(text) }))

          expect([title, text, isWhole(cut), isWhole(cut.subarray(0, -1))]).toEqual([title, text, false, true])
        }
      }
    }
  })

  it("cuts the text that was asked for where that has such a character", () => {
    for (const [, voice] of voices) {
      expect(textOf(planOf("cut_in_character", { voice, settings: settingsOf("🌊") }))).toMatch(/\ufffd$/)
      expect(textOf(planOf("cut_in_character", { voice, settings: settingsOf("Grüße") }))).toMatch(/Gr\ufffd$/)
    }
  })
})

describe("cut_before_blank_line", () => {
  it("ends behind the line feed of the last piece of text", () => {
    for (const [title, voice] of voices) {
      const settings = settingsOf("🌊")
      const good = bodyOf(planOf("success", { voice, settings }))
      const plan = planOf("cut_before_blank_line", { voice, settings })
      const cut = bodyOf(plan)
      const line = cut.toString("utf8").split("\n").at(-2)

      expect([title, good.subarray(cut.byteLength - 1, cut.byteLength + 1).toString()]).toEqual([title, "\n\n"])
      expect(line).toMatch(/^data: .*🌊/)
      expect(writesOf(plan).at(-1)?.events).toBe(0)
    }
  })
})

describe("cut_before_done", () => {
  it("sends all events but the last one", () => {
    for (const [title, voice] of voices) {
      const good = readEvents(textOf(planOf("success", { voice })))

      expect([title, readEvents(textOf(planOf("cut_before_done", { voice })))]).toEqual([title, good.slice(0, -1)])
    }
  })
})
