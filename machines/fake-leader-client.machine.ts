import { and, assign, setup } from "xstate"
import {
  evictionGraceMs,
  evictionsMax,
  leaderPollMs,
  leaderReadyMs,
  reconnectDelayMs,
  reconnectDelayMsMax,
  reconnectsMax,
  registeredMs,
  replayMs,
  replaySilenceMs,
  spawnsMax,
  spawnWaitMs,
  unreachableMs
} from "../src/domain/fake-leader-limits.ts"

/** How a client behaves. */
export interface FakeLeaderClientInput {
  /** What is waited before the first try to find a leader again. */
  readonly reconnectDelayMs: number
  /** Whether a leader may be ended that cannot be reached; replacing an older one is always allowed. */
  readonly evictsUnreachable: boolean
}

/**
 * What can happen to a client. `conn.opened` and `conn.failed` answer `dial`, `lock.*` answers `tryLock`, `holder.*` answers
 * `terminateHolder` and `lookAtHolder`; `replay.*` comes of `replayNext`.
 */
export type FakeLeaderClientEvent =
  | { readonly type: "conn.opened" | "conn.failed" | "conn.lost" }
  | { readonly type: "lock.free" | "lock.held" | "lock.changed" | "lock.failed" }
  | { readonly type: "spawn.failed" }
  | { readonly type: "holder.gone" | "holder.there" }
  /** `isOlder`: it is of an older version, and the process is known that is to be ended for that. */
  | { readonly type: "registered"; readonly isOlder: boolean; readonly isReady: boolean }
  | { readonly type: "leader.ready" | "refused" }
  | { readonly type: "heard" | "replay.answered" | "replay.over" }
  | { readonly type: "line"; readonly text: string }
  | { readonly type: "input.ended" }

const nothingYet = { spawns: 0, evictions: 0, reconnects: 0 }

/**
 * A client of a leader that speaks ACP on its own streams: finds a leader or starts one, and finds another when that is gone.
 *
 * **Source** agent-harness.md, section 5.1, "Election", "Version rule", "Reconnect"
 */
export const fakeLeaderClientMachine = setup({
  types: {
    input: {} as FakeLeaderClientInput,
    context: {} as FakeLeaderClientInput & {
      /** Leaders that it has started, and ended, since it had one. */
      readonly spawns: number
      readonly evictions: number
      /** Tries to find a leader again, since it had one. */
      readonly reconnects: number
      /** Whether it ever had a leader. */
      readonly wasConnected: boolean
    },
    events: {} as FakeLeaderClientEvent
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    dial: () => {},
    hangUp: () => {},
    tryLock: () => {},
    spawnLeader: () => {},
    sendRegister: () => {},
    terminateHolder: () => {},
    lookAtHolder: () => {},
    killHolder: () => {},
    beginReplay: () => {},
    replayNext: () => {},
    skipReplay: () => {},
    endReplay: () => {},
    sendQueued: () => {},
    forward: (_, _params: { readonly text: string }) => {},
    queue: (_, _params: { readonly text: string }) => {},
    tellFailed: () => {},
    leave: () => {},
    endProcess: (_, _params: { readonly code: number }) => {},
    countSpawn: assign({ spawns: ({ context }) => context.spawns + 1 }),
    countEviction: assign({ evictions: ({ context }) => context.evictions + 1 }),
    countReconnect: assign({ reconnects: ({ context }) => context.reconnects + 1, spawns: 0, evictions: 0 }),
    recordConnected: assign({ ...nothingYet, wasConnected: true })
  },
  guards: {
    maySpawn: ({ context }) => context.spawns < spawnsMax,
    mayEvict: ({ context }) => context.evictions < evictionsMax,
    evictsUnreachable: ({ context }) => context.evictsUnreachable,
    isOlder: ({ event }) => event.type === "registered" && event.isOlder,
    isReady: ({ event }) => event.type === "registered" && event.isReady,
    hasTriesLeft: ({ context }) => context.reconnects < reconnectsMax,
    mayReconnect: ({ context }) => context.wasConnected && context.reconnects < reconnectsMax,
    wasConnected: ({ context }) => context.wasConnected
  },
  delays: {
    poll: leaderPollMs,
    spawnWait: spawnWaitMs,
    unreachable: unreachableMs,
    grace: evictionGraceMs,
    registration: registeredMs,
    readiness: leaderReadyMs,
    silence: replaySilenceMs,
    replayBound: replayMs,
    reconnectDelay: ({ context }) => Math.min(context.reconnectDelayMs * 2 ** context.reconnects, reconnectDelayMsMax)
  }
}).createMachine({
  id: "fake-leader-client",
  context: ({ input }) => ({
    reconnectDelayMs: input?.reconnectDelayMs ?? reconnectDelayMs,
    evictsUnreachable: input?.evictsUnreachable ?? true,
    ...nothingYet,
    wasConnected: false
  }),
  initial: "seeking",
  on: {
    line: { actions: { type: "queue", params: ({ event }) => ({ text: event.text }) } },
    "input.ended": ".closed"
  },
  states: {
    // Looks for a socket that answers, and for the lock that says whether there should be one.
    seeking: {
      initial: "dialling",
      after: {
        unreachable: [{ guard: and(["evictsUnreachable", "mayEvict"]), target: "evicting" }, { target: "givingUp" }]
      },
      states: {
        dialling: {
          entry: "dial",
          on: { "conn.opened": "#fake-leader-client.registering", "conn.failed": "electing" }
        },
        electing: {
          entry: "tryLock",
          on: {
            "lock.free": [
              { guard: "maySpawn", target: "#fake-leader-client.spawning" },
              { target: "#fake-leader-client.givingUp" }
            ],
            "lock.held": "pausing",
            // Another one than the one that was not reached so far: its time begins.
            "lock.changed": { target: "#fake-leader-client.seeking", reenter: true },
            "lock.failed": "#fake-leader-client.givingUp"
          }
        },
        pausing: { after: { poll: "dialling" } }
      }
    },
    // Waits for the socket of the leader that it has started.
    spawning: {
      entry: ["countSpawn", "spawnLeader"],
      initial: "pausing",
      on: { "spawn.failed": "givingUp" },
      after: { spawnWait: "seeking" },
      states: {
        pausing: { after: { poll: "dialling" } },
        dialling: {
          entry: "dial",
          on: { "conn.opened": "#fake-leader-client.registering", "conn.failed": "pausing" }
        }
      }
    },
    registering: {
      entry: "sendRegister",
      on: {
        registered: [
          { guard: "isOlder", target: "evicting" },
          { guard: and(["isReady", "wasConnected"]), target: "replaying" },
          { guard: "isReady", target: "connected" },
          { target: "awaiting" }
        ],
        refused: "givingUp",
        "conn.lost": "losing"
      },
      after: { registration: "givingUp" }
    },
    awaiting: {
      on: {
        "leader.ready": [{ guard: "wasConnected", target: "replaying" }, { target: "connected" }],
        refused: "givingUp",
        "conn.lost": "losing"
      },
      after: { readiness: "givingUp" }
    },
    // Ends the process that holds the lock: an older leader, or one that cannot be reached.
    evicting: {
      entry: ["countEviction", "hangUp", "terminateHolder"],
      initial: "pausing",
      on: { "holder.gone": "seeking" },
      after: { grace: { target: "seeking", actions: "killHolder" } },
      states: {
        pausing: { after: { poll: "looking" } },
        looking: { entry: "lookAtHolder", on: { "holder.there": "pausing" } }
      }
    },
    // Says again to a new leader what made the sessions.
    replaying: {
      entry: "beginReplay",
      initial: "asking",
      on: { "replay.over": { target: "connected", actions: "endReplay" }, "conn.lost": "givingUp" },
      after: { replayBound: { target: "connected", actions: "endReplay" } },
      states: {
        asking: {
          entry: "replayNext",
          initial: "waiting",
          on: { "replay.answered": { target: "asking", reenter: true } },
          states: {
            waiting: {
              on: { heard: { target: "waiting", reenter: true } },
              after: { silence: { target: "#fake-leader-client.replaying.asking", actions: "skipReplay" } }
            }
          }
        }
      }
    },
    connected: {
      entry: ["recordConnected", "sendQueued"],
      on: {
        line: { actions: { type: "forward", params: ({ event }) => ({ text: event.text }) } },
        refused: {},
        "conn.lost": "reconnecting"
      }
    },
    reconnecting: { after: { reconnectDelay: { target: "seeking", actions: "countReconnect" } } },
    // A leader that was there is gone before it was of any use: that says nothing about the next.
    losing: {
      entry: "hangUp",
      always: [{ guard: "hasTriesLeft", target: "reconnecting" }, { target: "failed" }]
    },
    givingUp: {
      entry: "hangUp",
      always: [{ guard: "mayReconnect", target: "reconnecting" }, { target: "failed" }]
    },
    failed: { type: "final", entry: ["tellFailed", { type: "endProcess", params: { code: 1 } }] },
    closed: { type: "final", entry: ["leave", { type: "endProcess", params: { code: 0 } }] }
  }
})
