import { and, assign, not, setup } from "xstate"
import { type EarlyRequest, stronger } from "../src/domain/early-request.ts"
import type { ExitStatus, TerminationReason } from "../src/domain/exit-status.ts"
import type { MarkedProcess } from "../src/domain/owner-mark.ts"
import {
  drainMs,
  graceMsDefault,
  killWaitMsDefault,
  processProblemsMax,
  reapMsMax,
  sweepPauseMs,
  sweepRoundsMax
} from "../src/domain/process-limits.ts"

/** How a process is held. */
export interface OwnedProcessInput {
  readonly graceMs: number
  readonly killWaitMs: number
  /** How long its output is waited for after its end. */
  readonly drainMs: number
  /** Whether what left its group is looked for in the end, and whether it may stay. */
  readonly sweeps: boolean
  readonly allowsDetached: boolean
}

/** What was asked already, or is past asking. */
const nothingNew = { terminate: {}, close: {}, kill: {}, disposed: {} }

const hardKill = { type: "giveReason", params: { reason: "HardKill" } } as const
const dropCleanup = { type: "giveReason", params: { reason: "DropCleanup" } } as const

/** What can happen to an owned process. `streams.ended` is told once, of both streams; `sweep.*` answers `sweep`. */
export type OwnedProcessEvent =
  | { readonly type: "check.ok" }
  | { readonly type: "check.failed" }
  | { readonly type: "spawned"; readonly pid: number; readonly isAdoptable: boolean; readonly canTerminate: boolean }
  | { readonly type: "spawn.failed" }
  | { readonly type: "terminate" | "close" | "kill" | "disposed" }
  | { readonly type: "exited"; readonly status: ExitStatus }
  | { readonly type: "signal.failed"; readonly problem: string }
  | { readonly type: "streams.ended" }
  | { readonly type: "sweep.empty" }
  | { readonly type: "sweep.found"; readonly found: ReadonlyArray<MarkedProcess> }

/**
 * One process that we started: from the look for its program to the moment when nothing of it is left. Its group is killed in
 * the step that sees its end. What is asked before it has started is remembered, and done when it has.
 *
 * **Source** agent-harness.md, section 7.1
 */
export const ownedProcessMachine = setup({
  types: {
    input: {} as OwnedProcessInput,
    context: {} as OwnedProcessInput & {
      /** Number of the process and of its group, while it has not been taken off. */
      readonly pid: number | null
      readonly canTerminate: boolean
      readonly request: EarlyRequest | null
      readonly status: ExitStatus | null
      readonly reason: TerminationReason | null
      /** What signals met, the first ones. */
      readonly problems: ReadonlyArray<string>
      readonly streamsEnded: boolean
      readonly drainTimedOut: boolean
      readonly sweepRounds: number
      /** Who is left of those that left the group: allowed, or not to be killed. */
      readonly survivors: ReadonlyArray<MarkedProcess>
    },
    events: {} as OwnedProcessEvent,
    output: {} as { readonly status: ExitStatus | null; readonly reason: TerminationReason | null }
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    check: () => {},
    spawn: () => {},
    register: (_, _params: { readonly pid: number | null }) => {},
    unregister: () => {},
    terminateGroup: (_, _params: { readonly pid: number | null }) => {},
    killGroup: (_, _params: { readonly pid: number | null }) => {},
    killChild: (_, _params: { readonly pid: number | null }) => {},
    abandonCaptures: () => {},
    sweep: () => {},
    killSurvivors: (_, _params: { readonly found: ReadonlyArray<MarkedProcess> }) => {},
    tellStarted: () => {},
    tellStuck: () => {},
    tellDrained: () => {},
    tellReaped: () => {},
    tellFailed: () => {},
    remember: assign(({ context }, { request }: { readonly request: EarlyRequest }) => ({
      request: stronger(context.request, request)
    })),
    adopt: assign((_, adopted: { readonly pid: number; readonly canTerminate: boolean }) => adopted),
    giveReason: assign((_, { reason }: { readonly reason: TerminationReason }) => ({ reason })),
    recordExit: assign(({ context }, { status }: { readonly status: ExitStatus }) => ({
      status,
      pid: null,
      reason: context.reason ?? "NaturalExit"
    })),
    recordProblem: assign(({ context }, { problem }: { readonly problem: string }) => ({
      problems: [...context.problems, problem].slice(0, processProblemsMax)
    })),
    markEnded: assign({ streamsEnded: true }),
    markDrainTimedOut: assign({ drainTimedOut: true }),
    countRound: assign({ sweepRounds: ({ context }) => context.sweepRounds + 1 }),
    recordSurvivors: assign((_, { found }: { readonly found: ReadonlyArray<MarkedProcess> }) => ({ survivors: found }))
  },
  guards: {
    isAdoptable: ({ event }) => event.type === "spawned" && event.isAdoptable,
    canTerminate: ({ context }) => context.canTerminate,
    isDropped: ({ context }) => context.request === "drop",
    isClosed: ({ context }) => context.request === "close",
    isTerminated: ({ context }) => context.request === "terminate",
    isAskedToEnd: ({ context }) => context.request !== null,
    hasEnded: ({ context }) => context.streamsEnded,
    sweeps: ({ context }) => context.sweeps,
    allowsDetached: ({ context }) => context.allowsDetached,
    hasRoundsLeft: ({ context }) => context.sweepRounds < sweepRoundsMax
  },
  delays: {
    grace: ({ context }) => context.graceMs,
    killWait: ({ context }) => context.killWaitMs,
    reapBound: reapMsMax,
    drainBound: ({ context }) => context.drainMs,
    sweepPause: sweepPauseMs
  }
}).createMachine({
  id: "owned-process",
  context: ({ input }) => ({
    graceMs: input?.graceMs ?? graceMsDefault,
    killWaitMs: input?.killWaitMs ?? killWaitMsDefault,
    drainMs: input?.drainMs ?? drainMs,
    sweeps: input?.sweeps ?? true,
    allowsDetached: input?.allowsDetached ?? false,
    pid: null,
    canTerminate: true,
    request: null,
    status: null,
    reason: null,
    problems: [],
    streamsEnded: false,
    drainTimedOut: false,
    sweepRounds: 0,
    survivors: []
  }),
  initial: "starting",
  on: {
    "signal.failed": { actions: { type: "recordProblem", params: ({ event }) => ({ problem: event.problem }) } }
  },
  states: {
    starting: {
      initial: "preparing",
      on: {
        terminate: { actions: { type: "remember", params: { request: "terminate" } } },
        close: { actions: { type: "remember", params: { request: "close" } } },
        kill: { actions: { type: "remember", params: { request: "kill" } } },
        disposed: { actions: { type: "remember", params: { request: "drop" } } }
      },
      states: {
        preparing: { entry: "check", on: { "check.ok": "spawning", "check.failed": "#owned-process.failed" } },
        spawning: {
          entry: "spawn",
          on: {
            spawned: [
              {
                guard: "isAdoptable",
                target: "#owned-process.owned",
                actions: {
                  type: "adopt",
                  params: ({ event }) => ({ pid: event.pid, canTerminate: event.canTerminate })
                }
              },
              {
                target: "#owned-process.discarding",
                actions: { type: "adopt", params: ({ event }) => ({ pid: event.pid, canTerminate: false }) }
              }
            ],
            "spawn.failed": "#owned-process.failed"
          }
        }
      }
    },
    // Its group is not one that may be signalled: it is no process of ours.
    discarding: {
      entry: { type: "killChild", params: ({ context }) => ({ pid: context.pid }) },
      on: {
        exited: {
          target: "failed",
          actions: { type: "recordExit", params: ({ event }) => ({ status: event.status }) }
        }
      },
      after: { reapBound: "failed" }
    },
    owned: {
      entry: [{ type: "register", params: ({ context }) => ({ pid: context.pid }) }, "tellStarted"],
      initial: "running",
      on: {
        exited: {
          target: "draining",
          // First of all: the number of the group is free from now on, and nobody else may have it yet.
          actions: [
            { type: "killGroup", params: ({ context }) => ({ pid: context.pid }) },
            { type: "recordExit", params: ({ event }) => ({ status: event.status }) }
          ]
        },
        "streams.ended": { actions: "markEnded" }
      },
      states: {
        running: {
          always: [
            { guard: "isDropped", target: "killing", actions: dropCleanup },
            { guard: and(["isClosed", "canTerminate"]), target: "terminating.bounded" },
            { guard: and(["isTerminated", "canTerminate"]), target: "terminating.unbounded" },
            { guard: "isAskedToEnd", target: "killing", actions: hardKill }
          ],
          on: {
            terminate: [
              { guard: "canTerminate", target: "terminating.unbounded" },
              { target: "killing", actions: hardKill }
            ],
            close: [
              { guard: "canTerminate", target: "terminating.bounded" },
              { target: "killing", actions: hardKill }
            ],
            kill: { target: "killing", actions: hardKill },
            disposed: { target: "killing", actions: dropCleanup }
          }
        },
        terminating: {
          entry: [
            { type: "giveReason", params: { reason: "GracefulTerminate" } },
            { type: "terminateGroup", params: ({ context }) => ({ pid: context.pid }) }
          ],
          initial: "unbounded",
          on: {
            terminate: {},
            kill: { target: "killing", actions: hardKill },
            disposed: { target: "killing", actions: dropCleanup }
          },
          states: {
            unbounded: { on: { close: "bounded" } },
            bounded: {
              on: { close: {} },
              after: {
                grace: {
                  target: "#owned-process.owned.killing",
                  actions: { type: "giveReason", params: { reason: "HardKillAfterGrace" } }
                }
              }
            }
          }
        },
        killing: {
          entry: [
            { type: "killGroup", params: ({ context }) => ({ pid: context.pid }) },
            { type: "killChild", params: ({ context }) => ({ pid: context.pid }) }
          ],
          on: nothingNew,
          after: { killWait: "stuck" }
        },
        // Still guarded: when we end, it is killed once more.
        stuck: { entry: "tellStuck", on: nothingNew }
      }
    },
    draining: {
      entry: "unregister",
      exit: "tellDrained",
      always: { guard: "hasEnded", target: "sweeping" },
      on: { "streams.ended": { actions: "markEnded" }, ...nothingNew },
      after: { drainBound: { target: "sweeping", actions: ["markDrainTimedOut", "abandonCaptures"] } }
    },
    sweeping: {
      initial: "choosing",
      on: nothingNew,
      states: {
        choosing: { always: [{ guard: not("sweeps"), target: "#owned-process.reaped" }, { target: "looking" }] },
        looking: {
          entry: "sweep",
          on: {
            "sweep.empty": "#owned-process.reaped",
            "sweep.found": [
              {
                guard: and([not("allowsDetached"), "hasRoundsLeft"]),
                target: "pausing",
                actions: [{ type: "killSurvivors", params: ({ event }) => ({ found: event.found }) }, "countRound"]
              },
              {
                target: "#owned-process.reaped",
                actions: { type: "recordSurvivors", params: ({ event }) => ({ found: event.found }) }
              }
            ]
          }
        },
        pausing: { after: { sweepPause: "looking" } }
      }
    },
    reaped: { type: "final", entry: "tellReaped" },
    failed: { type: "final", entry: "tellFailed" }
  },
  output: ({ context }) => ({ status: context.status, reason: context.reason })
})
