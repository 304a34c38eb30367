import { assign, setup } from "xstate"
import type { ExitStatus } from "../src/domain/exit-status.ts"
import { leaderPollMs, leaderReadyMs } from "../src/domain/leader-limits.ts"
import type { MarkedProcess } from "../src/domain/owner-mark.ts"
import { sweepPauseMs, sweepRoundsMax } from "../src/domain/process-limits.ts"

/**
 * What can happen to a leader fixture. `look.*` answers `look`, `reap.*` answers `reap`, `stop.*` answers `stop`, `sweep.*` answers
 * `sweep`; `leader.exited` tells of the end of the leader, whoever brought it about.
 */
export type LeaderFixtureEvent =
  | { readonly type: "spawned" | "spawn.failed" }
  | { readonly type: "look.found" | "look.failed" }
  | { readonly type: "leader.exited"; readonly status: ExitStatus }
  | { readonly type: "client.registered" | "client.released" }
  | { readonly type: "kill" | "reap" | "close" | "contain" | "disposed" }
  | { readonly type: "leader.observed"; readonly pid: number }
  | { readonly type: "reap.done" | "reap.failed" }
  | { readonly type: "stop.done" | "stop.failed" }
  | { readonly type: "sweep.empty" }
  | { readonly type: "sweep.found"; readonly found: ReadonlyArray<MarkedProcess> }

const recordExit = {
  type: "recordExit",
  params: ({ event }: { readonly event: Extract<LeaderFixtureEvent, { readonly type: "leader.exited" }> }) => ({
    status: event.status
  })
} as const

/** What clients do while a fixture can have them. */
const clients = { "client.registered": { actions: "countClient" } } as const

const observing = {
  "leader.observed": {
    actions: {
      type: "recordObserved",
      params: ({ event }: { readonly event: Extract<LeaderFixtureEvent, { readonly type: "leader.observed" }> }) => ({
        pid: event.pid
      })
    }
  }
} as const

const closing = {
  close: [{ guard: "hasClients", actions: "refuseClose" }, { target: "#leader-fixture.stopping" }],
  disposed: "#leader-fixture.stopping"
} as const

/** A leader that is ours still, and runs no more or is about to. */
const ending = {
  ...clients,
  ...observing,
  kill: { actions: "kill" },
  reap: "#leader-fixture.reaping",
  ...closing
} as const

/**
 * One leader process that we started, and the count of the clients that were started for it: from its start to the moment when
 * nothing is left of it. Numbers that others wrote are recorded and never signalled.
 *
 * **Source** agent-harness.md, sections 5.2 and 7.4
 */
export const leaderFixtureMachine = setup({
  types: {
    input: {} as { readonly readyMs: number },
    context: {} as {
      readonly readyMs: number
      /** Clients that were started and have not been released. */
      readonly registrations: number
      /** The last leader that was seen to follow ours. */
      readonly lastObservedPid: number | null
      readonly status: ExitStatus | null
      /** Why it did not become ready; `null` while nothing has failed. */
      readonly failure: "late" | "exited" | "disposed" | "spawn" | null
      readonly sweepRounds: number
      /** Who is there in spite of all. */
      readonly leftovers: ReadonlyArray<MarkedProcess>
    },
    events: {} as LeaderFixtureEvent
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    spawn: () => {},
    look: () => {},
    endLook: () => {},
    tellReady: () => {},
    kill: () => {},
    reap: () => {},
    tellReaped: () => {},
    refuseReap: () => {},
    refuseClose: () => {},
    tellStuck: () => {},
    stop: () => {},
    sweep: () => {},
    killStrays: (_, _params: { readonly found: ReadonlyArray<MarkedProcess> }) => {},
    contain: () => {},
    tellClosed: () => {},
    tellFailed: () => {},
    countClient: assign({ registrations: ({ context }) => context.registrations + 1 }),
    releaseClient: assign({ registrations: ({ context }) => context.registrations - 1 }),
    recordObserved: assign((_, { pid }: { readonly pid: number }) => ({ lastObservedPid: pid })),
    recordExit: assign((_, { status }: { readonly status: ExitStatus }) => ({ status })),
    recordFailure: assign((_, { failure }: { readonly failure: "late" | "exited" | "disposed" | "spawn" }) => ({
      failure
    })),
    countRound: assign({ sweepRounds: ({ context }) => context.sweepRounds + 1 }),
    recordLeftovers: assign((_, { found }: { readonly found: ReadonlyArray<MarkedProcess> }) => ({ leftovers: found }))
  },
  guards: {
    hasClients: ({ context }) => context.registrations > 0,
    hasFailed: ({ context }) => context.failure !== null,
    hasRoundsLeft: ({ context }) => context.sweepRounds < sweepRoundsMax
  },
  delays: {
    readiness: ({ context }) => context.readyMs,
    poll: leaderPollMs,
    sweepPause: sweepPauseMs
  }
}).createMachine({
  id: "leader-fixture",
  context: ({ input }) => ({
    readyMs: input?.readyMs ?? leaderReadyMs,
    registrations: 0,
    lastObservedPid: null,
    status: null,
    failure: null,
    sweepRounds: 0,
    leftovers: []
  }),
  initial: "starting",
  on: {
    "leader.exited": { actions: recordExit },
    "client.released": { guard: "hasClients", actions: "releaseClient" },
    contain: ".contained",
    // Of a look that was given up, or a wait that something else has settled.
    "look.*": {},
    "reap.*": {},
    "stop.*": {}
  },
  states: {
    starting: {
      initial: "launching",
      on: {
        "leader.exited": {
          target: "failing",
          actions: [recordExit, { type: "recordFailure", params: { failure: "exited" } }]
        },
        disposed: { target: "failing", actions: { type: "recordFailure", params: { failure: "disposed" } } }
      },
      after: { readiness: { target: "failing", actions: { type: "recordFailure", params: { failure: "late" } } } },
      states: {
        launching: {
          entry: "spawn",
          on: {
            spawned: "looking",
            "spawn.failed": {
              target: "#leader-fixture.failed",
              actions: { type: "recordFailure", params: { failure: "spawn" } }
            }
          }
        },
        // A path can be there without anybody who serves it.
        looking: {
          entry: "look",
          exit: "endLook",
          on: { "look.found": "#leader-fixture.ready", "look.failed": "pausing" }
        },
        pausing: { after: { poll: "looking" } }
      }
    },
    ready: {
      entry: "tellReady",
      on: {
        ...clients,
        ...observing,
        kill: { target: "crashed", actions: "kill" },
        "leader.exited": { target: "lost", actions: recordExit },
        reap: { actions: "refuseReap" },
        ...closing
      }
    },
    // Killed by us, and not taken off.
    crashed: { on: ending },
    // Ended by itself, or stuck.
    lost: { on: ending },
    reaping: {
      entry: "reap",
      on: {
        ...clients,
        ...observing,
        kill: {},
        reap: {},
        "reap.done": { target: "leaderless", actions: "tellReaped" },
        "reap.failed": { target: "lost", actions: "tellStuck" },
        ...closing
      }
    },
    leaderless: {
      on: {
        ...clients,
        ...observing,
        reap: { actions: "tellReaped" },
        close: [{ guard: "hasClients", actions: "refuseClose" }, { target: "sweeping" }],
        disposed: "sweeping"
      }
    },
    stopping: {
      entry: "stop",
      on: {
        "stop.done": { target: "sweeping", actions: "tellReaped" },
        "stop.failed": { target: "lost", actions: "tellStuck" },
        reap: {},
        close: {},
        disposed: {}
      }
    },
    failing: {
      entry: "stop",
      // One that was not started before this is stopped as soon as it is there.
      on: { "stop.done": "sweeping", "stop.failed": "failed", disposed: {}, spawned: {}, "spawn.failed": {} }
    },
    sweeping: {
      initial: "looking",
      on: { close: {}, disposed: {}, reap: { actions: "tellReaped" } },
      states: {
        looking: {
          entry: "sweep",
          on: {
            "sweep.empty": "over",
            "sweep.found": [
              {
                guard: "hasRoundsLeft",
                target: "pausing",
                actions: [{ type: "killStrays", params: ({ event }) => ({ found: event.found }) }, "countRound"]
              },
              {
                target: "over",
                actions: { type: "recordLeftovers", params: ({ event }) => ({ found: event.found }) }
              }
            ]
          }
        },
        pausing: { after: { sweepPause: "looking" } },
        over: {
          always: [{ guard: "hasFailed", target: "#leader-fixture.failed" }, { target: "#leader-fixture.closed" }]
        }
      }
    },
    closed: { type: "final", entry: "tellClosed" },
    failed: { type: "final", entry: "tellFailed" },
    contained: { type: "final", entry: "contain" }
  }
})
