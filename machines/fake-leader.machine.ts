import { assign, setup } from "xstate"
import { leaderCloseMs, leaderEntryMs, leaderPollMs, relaunchGraceMs } from "../src/domain/fake-leader-limits.ts"

/** How a leader behaves. */
export interface FakeLeaderInput {
  /** Whether it listens at all. */
  readonly listens: boolean
  readonly readyAfterMs: number
}

/** What can happen to a leader. `lock.*` answers `takeLock`, `peer.*` answers `probe`, `bound` and `bind.failed` answer `listen`. */
export type FakeLeaderEvent =
  | { readonly type: "lock.taken" | "lock.held" | "lock.failed" }
  | { readonly type: "peer.serving" | "peer.silent" }
  | { readonly type: "bound" | "bind.failed" | "listener.lost" }
  | { readonly type: "terminate" }
  | { readonly type: "relaunch" }
  | { readonly type: "idle" }
  /** The agent has ended, or the time of the leader is over. */
  | { readonly type: "end"; readonly code: number }
  | { readonly type: "all.closed" }

const failed = { type: "recordCode", params: { code: 1 } } as const

/**
 * The process of a leader: there is one for a socket. From the lock to the moment when lock and socket are gone.
 *
 * **Source** agent-harness.md, section 5.1, "Election"; appendix A
 */
export const fakeLeaderMachine = setup({
  types: {
    input: {} as FakeLeaderInput,
    context: {} as FakeLeaderInput & {
      /** What the process exits with. */
      readonly code: number
    },
    events: {} as FakeLeaderEvent,
    output: {} as { readonly code: number }
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    takeLock: () => {},
    probe: () => {},
    writeLock: () => {},
    listen: () => {},
    tellStarted: () => {},
    tellReady: () => {},
    tellRedundant: () => {},
    tellEntryFailed: () => {},
    tellRelaunching: () => {},
    closeAll: () => {},
    giveLockBack: () => {},
    endProcess: (_, _params: { readonly code: number }) => {},
    recordCode: assign((_, { code }: { readonly code: number }) => ({ code }))
  },
  guards: { listens: ({ context }) => context.listens },
  delays: {
    entry: leaderEntryMs,
    poll: leaderPollMs,
    readyAfter: ({ context }) => context.readyAfterMs,
    grace: relaunchGraceMs,
    closeBound: leaderCloseMs
  }
}).createMachine({
  id: "fake-leader",
  context: ({ input }) => ({ listens: input?.listens ?? true, readyAfterMs: input?.readyAfterMs ?? 0, code: 0 }),
  initial: "entering",
  states: {
    entering: {
      initial: "claiming",
      on: {
        terminate: "ended",
        end: { target: "ended", actions: { type: "recordCode", params: ({ event }) => ({ code: event.code }) } }
      },
      after: { entry: { target: "ended", actions: ["tellEntryFailed", failed] } },
      states: {
        claiming: {
          entry: "takeLock",
          on: {
            "lock.taken": "#fake-leader.binding",
            "lock.held": "probing",
            "lock.failed": { target: "#fake-leader.ended", actions: failed }
          }
        },
        probing: {
          entry: "probe",
          on: {
            "peer.serving": { target: "#fake-leader.ended", actions: "tellRedundant" },
            "peer.silent": "waiting"
          }
        },
        waiting: { after: { poll: "claiming" } }
      }
    },
    binding: {
      entry: "writeLock",
      initial: "choosing",
      on: {
        terminate: "closing",
        end: { target: "closing", actions: { type: "recordCode", params: ({ event }) => ({ code: event.code }) } }
      },
      states: {
        choosing: { always: [{ guard: "listens", target: "listening" }, { target: "#fake-leader.serving" }] },
        listening: {
          entry: "listen",
          on: {
            bound: "#fake-leader.serving",
            "bind.failed": { target: "#fake-leader.closing", actions: failed }
          }
        }
      }
    },
    serving: {
      entry: "tellStarted",
      initial: "starting",
      on: {
        terminate: "closing",
        end: { target: "closing", actions: { type: "recordCode", params: ({ event }) => ({ code: event.code }) } },
        "listener.lost": { target: "closing", actions: failed },
        relaunch: ".relaunching"
      },
      states: {
        starting: { after: { readyAfter: "ready" } },
        ready: { entry: "tellReady" },
        relaunching: {
          entry: "tellRelaunching",
          on: { idle: "#fake-leader.closing", relaunch: {} },
          after: { grace: "#fake-leader.closing" }
        }
      }
    },
    closing: {
      entry: "closeAll",
      exit: "giveLockBack",
      on: { "all.closed": "ended" },
      after: { closeBound: "ended" }
    },
    ended: { type: "final", entry: { type: "endProcess", params: ({ context }) => ({ code: context.code }) } }
  },
  output: ({ context }) => ({ code: context.code })
})
