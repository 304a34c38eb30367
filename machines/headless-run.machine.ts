import { assign, setup } from "xstate"
import type { ExitStatus } from "../src/domain/exit-status.ts"
import { headlessCapMsDefault } from "../src/domain/headless-limits.ts"

/** What can happen to a headless run. `stream.ended` comes once for each of the two streams, whatever ended it. */
export type HeadlessRunEvent =
  | { readonly type: "spawned" }
  | { readonly type: "spawn.failed" }
  | { readonly type: "exited"; readonly status: ExitStatus }
  | { readonly type: "stream.ended" }
  | { readonly type: "kill.failed" }
  | { readonly type: "process.left" }

const recordExit = {
  type: "recordExit",
  params: ({ event }: { readonly event: Extract<HeadlessRunEvent, { readonly type: "exited" }> }) => ({
    status: event.status
  })
} as const

/**
 * One run of a program to its end, or to its cap. How long its output is waited for after that is bounded by the owned
 * process, for each stream.
 *
 * **Source** agent-harness.md, section 7.3
 */
export const headlessRunMachine = setup({
  types: {
    input: {} as { readonly capMs: number },
    context: {} as {
      readonly capMs: number
      readonly streamsEnded: number
      readonly status: ExitStatus | null
      readonly timedOut: boolean
    },
    events: {} as HeadlessRunEvent,
    output: {} as { readonly status: ExitStatus | null; readonly timedOut: boolean }
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    spawn: () => {},
    killProcess: () => {},
    stopWatch: () => {},
    awaitLeft: () => {},
    tellDone: () => {},
    tellFailed: () => {},
    countEnded: assign({ streamsEnded: ({ context }) => context.streamsEnded + 1 }),
    recordExit: assign((_, { status }: { readonly status: ExitStatus }) => ({ status })),
    markTimedOut: assign({ timedOut: true })
  },
  guards: {
    hasDrained: ({ context }) => context.streamsEnded >= 2,
    // One that ended by itself while the signal was on its way was not ended by the cap.
    wasKilled: ({ event }) => event.type === "exited" && event.status.signal === "SIGKILL"
  },
  delays: { cap: ({ context }) => context.capMs }
}).createMachine({
  id: "headless-run",
  context: ({ input }) => ({
    capMs: input?.capMs ?? headlessCapMsDefault,
    streamsEnded: 0,
    status: null,
    timedOut: false
  }),
  initial: "spawning",
  on: { "stream.ended": { actions: "countEnded" } },
  states: {
    spawning: { entry: "spawn", on: { spawned: "running", "spawn.failed": "failed" } },
    running: {
      on: { exited: { target: "draining", actions: recordExit } },
      after: { cap: "killing" }
    },
    killing: {
      entry: "killProcess",
      on: {
        exited: [
          { guard: "wasKilled", target: "draining", actions: [recordExit, "markTimedOut"] },
          { target: "draining", actions: recordExit }
        ],
        "kill.failed": "failed"
      }
    },
    draining: { always: { guard: "hasDrained", target: "clearing" }, on: { "kill.failed": {} } },
    clearing: { entry: ["stopWatch", "awaitLeft"], on: { "process.left": "done", "kill.failed": "failed" } },
    done: { type: "final", entry: "tellDone" },
    failed: { type: "final", entry: "tellFailed" }
  },
  output: ({ context }) => ({ status: context.status, timedOut: context.timedOut })
})
