import type { FaultName } from "../../../src/domain/fault-names.ts"
import { type FaultSettings, faultDefaults } from "../../../src/domain/fault-options.ts"
import { chunksOf, type Plan, type WireStep } from "../../../src/domain/plan.ts"
import type { FaultAnswer } from "../../../src/faults/catalogue/behavior.ts"
import { behaviorOf } from "../../../src/faults/catalogue/catalogue.ts"
import { faultPlan } from "../../../src/faults/catalogue/fault-plan.ts"
import type { Voice } from "../../../src/faults/catalogue/voice.ts"
import { faithful, formats, mock } from "../voices/written.ts"

export type Kind = "stream" | "reply"

export const kinds: ReadonlyArray<Kind> = ["stream", "reply"]

/** Both servers in every format and shape, by a name for titles. */
export const voices: ReadonlyArray<readonly [name: string, voice: Voice]> = formats.flatMap((format) => [
  [`${format}, complete`, mock(format)] as const,
  [`${format}, minimal`, mock(format, { chunkShape: "minimal", usagePlacement: "trailing" })] as const,
  [`${format}, full`, faithful(format, { includeUsage: true })] as const,
  [`${format}, compact`, faithful(format, { profile: "compact" })] as const
])

export interface Asked {
  readonly voice: Voice
  readonly kind?: Kind
  readonly settings?: Partial<FaultSettings>
  readonly wallMs?: number
}

export const answerOf = (name: FaultName, { voice, kind = "stream", settings = {}, wallMs = 0 }: Asked): FaultAnswer =>
  behaviorOf(name)[kind]({ voice, settings: { ...faultDefaults, ...settings }, wallMs })

export const planOf = (name: FaultName, asked: Asked): Plan =>
  faultPlan(answerOf(name, asked), { barriers: [], owner: "call", headers: [] })

export type Write = Extract<WireStep, { readonly kind: "write" }>

/** What is written within the framing of HTTP. */
export const writesOf = ({ steps }: Plan): ReadonlyArray<Write> =>
  steps.flatMap((step) => (step.kind === "write" && step.isUnframed !== true ? [step] : []))

/** The same in its chunks. */
export const chunksIn = (plan: Plan): ReadonlyArray<Buffer> =>
  writesOf(plan).flatMap(({ bytes, chunkEnds }) => chunksOf(bytes, chunkEnds).map((chunk) => Buffer.from(chunk)))

export const eventsIn = (plan: Plan): number => writesOf(plan).reduce((count, { events }) => count + events, 0)

/** A body byte for byte. */
export const bodyOf = (plan: Plan): Buffer => Buffer.concat(writesOf(plan).map(({ bytes }) => Buffer.from(bytes)))

export const textOf = (plan: Plan): string => bodyOf(plan).toString("utf8")

export const headOf = ({ steps }: Plan): { readonly status: number; readonly headers: Record<string, string> } => {
  const head = steps.find((step) => step.kind === "head")
  const headers: Record<string, string> = {}
  for (let at = 0; at < (head?.headers.length ?? 0); at += 2) {
    headers[head?.headers[at] ?? ""] = head?.headers[at + 1] ?? ""
  }
  return { status: head?.status ?? 0, headers }
}

/** A plan as one line: chunks by their events, pauses by their length. */
export const lineOf = ({ steps, ending }: Plan): string =>
  [
    ...steps.flatMap((step) => {
      if (step.kind === "write") return wordsOf(step)
      return step.kind === "pause" ? `wait(${step.ms})` : step.kind
    }),
    ending
  ].join(", ")

const wordsOf = ({ events, chunkEnds = [0] }: Write): ReadonlyArray<string> => {
  if (chunkEnds.length === events) return chunkEnds.map(() => "event")
  return [events === 0 ? "body" : `${events} events in ${chunkEnds.length}`]
}
