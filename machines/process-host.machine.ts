import { assign, setup } from "xstate"
import type { MarkedProcess } from "../src/domain/owner-mark.ts"
import { sweepPauseMs, sweepRoundsMax } from "../src/domain/process-limits.ts"

/** What can happen to a host. `processes.over` answers `dropAll`, `sweep.*` answers `sweep`, `run.ended` answers `endRun`. */
export type ProcessHostEvent =
  | { readonly type: "close" }
  | { readonly type: "processes.over" }
  | { readonly type: "sweep.empty" }
  | { readonly type: "sweep.found"; readonly found: ReadonlyArray<MarkedProcess> }
  | { readonly type: "run.ended" }

/**
 * Whoever starts processes in one run. When it closes, it drops those that are left, kills whatever still carries the mark of
 * the run, and gives the run back.
 *
 * **Source** agent-harness.md, sections 1.9.6, 1.9.8 and 7.6
 */
export const processHostMachine = setup({
  types: {
    context: {} as {
      readonly sweepRounds: number
      /** Who was found and should not have been there, at the first look. */
      readonly strays: ReadonlyArray<MarkedProcess>
      /** Who is there in spite of all. */
      readonly leftovers: ReadonlyArray<MarkedProcess>
    },
    events: {} as ProcessHostEvent
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    dropAll: () => {},
    sweep: () => {},
    killStrays: (_, _params: { readonly found: ReadonlyArray<MarkedProcess> }) => {},
    endRun: () => {},
    tellClosed: () => {},
    countRound: assign(({ context }, { found }: { readonly found: ReadonlyArray<MarkedProcess> }) => ({
      sweepRounds: context.sweepRounds + 1,
      strays: context.sweepRounds === 0 ? found : context.strays
    })),
    recordLeftovers: assign((_, { found }: { readonly found: ReadonlyArray<MarkedProcess> }) => ({ leftovers: found }))
  },
  guards: { hasRoundsLeft: ({ context }) => context.sweepRounds < sweepRoundsMax },
  delays: { sweepPause: sweepPauseMs }
}).createMachine({
  id: "process-host",
  context: () => ({ sweepRounds: 0, strays: [], leftovers: [] }),
  initial: "open",
  states: {
    // What ends while nobody closes is no news.
    open: { on: { close: "closing", "processes.over": {} } },
    closing: { entry: "dropAll", on: { "processes.over": "sweeping", close: {} } },
    sweeping: {
      initial: "looking",
      on: { close: {}, "processes.over": {} },
      states: {
        looking: {
          entry: "sweep",
          on: {
            "sweep.empty": "#process-host.ending",
            "sweep.found": [
              {
                guard: "hasRoundsLeft",
                target: "pausing",
                actions: [
                  { type: "killStrays", params: ({ event }) => ({ found: event.found }) },
                  { type: "countRound", params: ({ event }) => ({ found: event.found }) }
                ]
              },
              {
                target: "#process-host.ending",
                actions: { type: "recordLeftovers", params: ({ event }) => ({ found: event.found }) }
              }
            ]
          }
        },
        pausing: { after: { sweepPause: "looking" } }
      }
    },
    ending: { entry: "endRun", on: { "run.ended": "closed", close: {}, "processes.over": {} } },
    closed: { type: "final", entry: "tellClosed" }
  }
})
