import type { StepDetail } from "../report/run-trace.ts"

/** Something that was noted of a run, and at which step; 0 is before the first. */
export interface RunNote {
  readonly step: number
  readonly text: string
}

/** What is known of a run, by its steps. */
export interface StepFacts {
  /** In order. */
  readonly notes: ReadonlyArray<RunNote>
  readonly states: ReadonlyMap<number, string>
  readonly bytes: ReadonlyMap<number, string>
}

/** How many notes stand at one step; of more the first ones. */
const notesAtStepMax = 8

/**
 * What is known of a run as details of its steps. What was noted before the first step that is kept stands at that one.
 *
 * @since 0.1.0
 * @category traces
 */
export const stepDetails = ({ notes, states, bytes }: StepFacts, first: number): ReadonlyMap<number, StepDetail> => {
  const texts = new Map<number, Array<string>>()
  for (const { step, text } of notes) {
    const at = Math.max(step, first)
    const known = texts.get(at) ?? []
    if (known.length < notesAtStepMax) known.push(text)
    texts.set(at, known)
  }
  const steps = new Set([...texts.keys(), ...states.keys(), ...bytes.keys()])
  return new Map([...steps].map((step) => [step, detailOf(texts.get(step), states.get(step), bytes.get(step))]))
}

const detailOf = (notes: ReadonlyArray<string> = [], state = "", bytes = ""): StepDetail => ({
  ...(notes.length === 0 ? {} : { note: notes.join(", ") }),
  ...(state === "" ? {} : { state }),
  ...(bytes === "" ? {} : { bytes })
})
