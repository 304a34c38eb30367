import { createHash } from "node:crypto"
import { type FaultSettings, faultDefaults } from "../../../src/domain/fault-options.ts"
import type { SseEvent } from "../../../src/domain/sse-event.ts"
import type { Behavior, FaultAnswer } from "../../../src/faults/catalogue/behavior.ts"
import type { FaultFormat, Turn, Voice } from "../../../src/faults/catalogue/voice.ts"
import type { FaultTerms } from "../../../src/faults/catalogue/voices/fault-terms.ts"
import { faultVoice } from "../../../src/faults/catalogue/voices/fault-voice.ts"
import type { ProviderTerms } from "../../../src/faults/catalogue/voices/provider-terms.ts"
import { providerVoice } from "../../../src/faults/catalogue/voices/provider-voice.ts"

export const formats: ReadonlyArray<FaultFormat> = ["chat", "responses", "messages"]

/** The fault server's voice as the goldens of its specification assume it: first attempt, model `m`. */
export const mock = (format: FaultFormat, terms: Partial<FaultTerms> = {}): Voice =>
  faultVoice(format, {
    model: "m",
    laneAttempt: 1,
    chunkShape: "complete",
    usagePlacement: "attached",
    includeUsage: false,
    ...terms
  })

/** The inference server's voice. */
export const faithful = (format: FaultFormat, terms: Partial<ProviderTerms> = {}): Voice =>
  providerVoice(format, { model: "m", profile: "full", includeUsage: false, request: {}, ...terms })

const contextOf = (voice: Voice, settings: Partial<FaultSettings>) => ({
  voice,
  settings: { ...faultDefaults, ...settings },
  wallMs: 0
})

/** What a behaviour does to a request for a stream. */
export const streamed = (behavior: Behavior, voice: Voice, settings: Partial<FaultSettings> = {}): FaultAnswer =>
  behavior.stream(contextOf(voice, settings))

/** What a behaviour does to a request for JSON. */
export const answered = (behavior: Behavior, voice: Voice, settings: Partial<FaultSettings> = {}): FaultAnswer =>
  behavior.reply(contextOf(voice, settings))

/** The bytes of a body as text. */
export const textOf = ({ steps }: FaultAnswer): string =>
  steps
    .map((step) => {
      if (step.kind === "event") return step.frame
      if (step.kind === "wait") return ""
      return typeof step.bytes === "string" ? step.bytes : new TextDecoder().decode(step.bytes)
    })
    .join("")

/** What a golden pins: `events / bytes / first 16 digits of SHA-256`. */
export const measured = (answer: FaultAnswer): string => {
  const bytes = Buffer.from(textOf(answer), "utf8")
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 16)
  return `${answer.steps.filter(({ kind }) => kind === "event").length} / ${bytes.length} / ${digest}`
}

export const dataOf = (events: ReadonlyArray<SseEvent>): ReadonlyArray<string> => events.map(({ data }) => data)

/** Two calls whose fragments come in turns. */
export const parallelTurn: Turn = {
  parts: [
    {
      kind: "calls",
      isInterleaved: true,
      calls: [
        { id: "call-a", name: "depth", pieces: ['{"m"', ":40}"] },
        { id: "call-b", name: "tide", pieces: ["{", "}"] }
      ]
    }
  ],
  finish: "tool_calls",
  outputTokens: 2
}

export const textOnly: Turn = { parts: [{ kind: "text", pieces: ["Sea ", "calm"] }], finish: "stop", outputTokens: 8 }

export const thought: Turn = { ...textOnly, parts: [{ kind: "reasoning", pieces: ["deep ", "sea"] }] }
