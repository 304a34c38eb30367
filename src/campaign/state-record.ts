import type { SeenEvent } from "../oracles/run-event.ts"

/** A step of a chart, as a server's trace has it. */
type ChartStep = Extract<SeenEvent, { readonly type: "step" }>

/** The states that charts of servers went to, by the steps of the run in which they did. */
export interface StateRecord {
  see(step: number, event: ChartStep): void
  /** `expectation 3: active.blocked`, each actor with its last state of the step. */
  texts(): ReadonlyMap<number, string>
}

/** @since 0.1.0 @category constructors */
export const recordStates = (): StateRecord => {
  const steps = new Map<number, Map<string, string>>()
  return {
    see(step, { chart, actor, state, handled }) {
      if (!handled) return
      const states = steps.get(step) ?? new Map<string, string>()
      steps.set(step, states.set(`${chart} ${actor}`, state))
    },
    texts: () =>
      new Map(
        [...steps].map(([step, states]) => [step, [...states].map(([who, state]) => `${who}: ${state}`).join(", ")])
      )
  }
}
