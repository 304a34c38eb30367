import { describe, expect, it } from "vitest"
import { type FaultName, faultNames } from "../../../src/domain/fault-names.ts"
import type { FaultOptions, FaultSettings } from "../../../src/domain/fault-options.ts"
import { behaviorOf } from "../../../src/faults/catalogue/catalogue.ts"
import type { Voice } from "../../../src/faults/catalogue/voice.ts"
import { formats, mock } from "../voices/written.ts"
import { type Asked, kinds, planOf, voices } from "./planned.ts"

/** No default, and none in its pieces the same. */
const changes: Required<FaultOptions> = {
  successText: "une tout autre réponse 🌊, et plus longue",
  partialText: "an other beginning of some length",
  reasoningText: "an other thought of some length",
  chunkSize: 3,
  chunkDelayMs: 26,
  disconnectDelayMs: 11,
  retryAfterMs: 61_000,
  requestId: "req-9",
  toolName: "other_tool",
  toolArguments: '{"other":[1,2]}',
  resetMode: "rst",
  headDelayMs: 7,
  heartbeatMs: 700,
  contextWindow: 9,
  cutAfterEvents: 2,
  cutAfterBytes: 65
}

type Option = keyof FaultOptions

const options = Object.keys(changes) as ReadonlyArray<Option>

/** The cuts are deep enough for the text to be in what is sent. */
const base: Partial<FaultSettings> = { cutAfterEvents: 6, cutAfterBytes: 1_500 }

const hex = (bytes: string | Uint8Array): string =>
  typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("hex")

/** What a plan says. A length that is announced for a body that never comes is no effect. */
const told = (name: FaultName, asked: Asked): string => {
  const { steps, ending, heartbeat = null } = planOf(name, asked)
  const isNothing = steps.every(({ kind }) => kind !== "write")
  const lines = steps.map((step) => {
    if (step.kind === "write") return `write ${step.events} ${hex(step.bytes)} ${step.chunkEnds}`
    if (step.kind === "pause") return `pause ${step.ms}`
    return JSON.stringify(step)
  })
  const text = [...lines, ending, JSON.stringify(heartbeat)].join("\n")
  return isNothing ? text.replace(/"content-length","\d+"/, "") : text
}

/** The options, of some, that change what a behaviour does to a stream or to a JSON reply. */
const changing = (name: FaultName, voice: Voice, some: ReadonlyArray<Option>): ReadonlyArray<Option> => {
  const before = kinds.map((kind) => told(name, { voice, kind, settings: base }))
  return some.filter((option) =>
    kinds.some((kind, at) => {
      const settings: Partial<FaultSettings> = { ...base, [option]: changes[option] }
      return told(name, { voice, kind, settings }) !== before[at]
    })
  )
}

describe.each(faultNames)("%s", (name) => {
  const { uses } = behaviorOf(name)

  it(`is changed in every format by ${uses.join(", ") || "nothing"}`, () => {
    for (const format of formats) expect([format, changing(name, mock(format), uses)]).toEqual([format, uses])
  })

  it("is changed by no other option", () => {
    const others = options.filter((option) => !uses.includes(option))

    for (const [title, voice] of voices) expect([title, changing(name, voice, others)]).toEqual([title, []])
  })

  it("names each option once", () => {
    expect(new Set(uses).size).toBe(uses.length)
  })
})
