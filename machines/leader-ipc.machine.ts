import { assign, setup } from "xstate"
import {
  connectAttemptMs,
  connectAttemptsMax,
  connectGapMs,
  farewellMs,
  pingMs,
  readyMs,
  registerMs
} from "../src/domain/leader-ipc-limits.ts"

/** How a connection to a leader has ended, before it was open or afterwards. */
export type LeaderIpcEnd =
  | "unreachable"
  | "register late"
  | "refused"
  | "unexpected"
  | "ready late"
  | "broken"
  | "lost"
  | "shutdown"
  | "disconnected"

/** A message that is for who has the connection; the chart does not look into it. */
export interface PassedMessage {
  readonly kind: string
}

/**
 * What can happen to a connection to a leader. `connect.failed` and `connected` answer `connect`; `farewell.left` answers
 * `sendFarewell`; `broken` is a body that is no message, or a frame that is too long; `lost` the end of the stream.
 */
export type LeaderIpcEvent =
  | { readonly type: "connected" }
  | { readonly type: "connect.failed"; readonly isFinal: boolean }
  | { readonly type: "registered"; readonly isReady: boolean }
  | { readonly type: "ready" }
  | { readonly type: "refused" }
  | { readonly type: "shutting.down"; readonly reason: string }
  | { readonly type: "shutdown" }
  | { readonly type: "message"; readonly message: PassedMessage }
  | { readonly type: "broken" }
  | { readonly type: "lost" }
  | { readonly type: "disconnect" }
  | { readonly type: "farewell.left" }

const ends = (end: LeaderIpcEnd) =>
  ({
    target: "#leader-ipc.ended",
    actions: { type: "recordEnd", params: { end } }
  }) as const

/**
 * A direct connection to a leader: connects, registers, waits until the leader is ready, and then passes messages on until one
 * side has enough.
 *
 * **Source** agent-harness.md, section 5.7
 */
export const leaderIpcMachine = setup({
  types: {
    context: {} as {
      readonly attempts: number
      /** Why the leader said that it will go, the last time. */
      readonly leaving: string | null
      readonly end: LeaderIpcEnd | null
    },
    events: {} as LeaderIpcEvent
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    connect: () => {},
    giveUpConnect: () => {},
    sendRegister: () => {},
    sendPing: () => {},
    sendFarewell: () => {},
    tellOpen: () => {},
    take: (_, _params: { readonly message: PassedMessage }) => {},
    endSocket: () => {},
    tellEnded: () => {},
    countAttempt: assign({ attempts: ({ context }) => context.attempts + 1 }),
    recordLeaving: assign((_, { reason }: { readonly reason: string }) => ({ leaving: reason })),
    recordEnd: assign((_, { end }: { readonly end: LeaderIpcEnd }) => ({ end }))
  },
  guards: {
    isFinal: ({ event }) => event.type === "connect.failed" && event.isFinal,
    hasNoAttempts: ({ context }) => context.attempts >= connectAttemptsMax,
    isReady: ({ event }) => event.type === "registered" && event.isReady
  },
  delays: {
    attemptBound: connectAttemptMs,
    gap: connectGapMs,
    registerBound: registerMs,
    readyBound: readyMs,
    pingGap: pingMs,
    farewellBound: farewellMs
  }
}).createMachine({
  id: "leader-ipc",
  context: () => ({ attempts: 0, leaving: null, end: null }),
  initial: "connecting",
  states: {
    connecting: {
      initial: "attempting",
      on: { disconnect: { ...ends("disconnected"), actions: [ends("disconnected").actions, "giveUpConnect"] } },
      states: {
        attempting: {
          entry: ["countAttempt", "connect"],
          on: {
            connected: "#leader-ipc.connected",
            "connect.failed": [
              { guard: "isFinal", ...ends("unreachable") },
              { guard: "hasNoAttempts", ...ends("unreachable") },
              { target: "pausing" }
            ]
          },
          after: {
            attemptBound: [
              {
                guard: "hasNoAttempts",
                target: "#leader-ipc.ended",
                actions: ["giveUpConnect", ends("unreachable").actions]
              },
              { target: "pausing", actions: "giveUpConnect" }
            ]
          }
        },
        pausing: { after: { gap: "attempting" } }
      }
    },
    connected: {
      initial: "registering",
      on: {
        broken: ends("broken"),
        lost: ends("lost"),
        disconnect: { target: "leaving", actions: ends("disconnected").actions },
        "shutting.down": { actions: { type: "recordLeaving", params: ({ event }) => ({ reason: event.reason }) } }
      },
      states: {
        registering: {
          entry: "sendRegister",
          on: {
            registered: [{ guard: "isReady", target: "open" }, { target: "waiting" }],
            refused: ends("refused"),
            ready: ends("unexpected"),
            shutdown: ends("unexpected"),
            "shutting.down": ends("unexpected"),
            message: ends("unexpected")
          },
          after: { registerBound: ends("register late") }
        },
        waiting: {
          on: {
            ready: "open",
            shutdown: ends("shutdown"),
            "shutting.down": {
              target: "#leader-ipc.ended",
              actions: [
                { type: "recordLeaving", params: ({ event }) => ({ reason: event.reason }) },
                ends("shutdown").actions
              ]
            },
            message: { actions: { type: "take", params: ({ event }) => ({ message: event.message }) } },
            registered: {},
            refused: {}
          },
          after: { readyBound: ends("ready late") }
        },
        open: {
          entry: "tellOpen",
          initial: "idle",
          on: {
            shutdown: ends("shutdown"),
            message: { actions: { type: "take", params: ({ event }) => ({ message: event.message }) } },
            registered: {},
            ready: {},
            refused: {}
          },
          states: {
            idle: { after: { pingGap: "pinging" } },
            pinging: { entry: "sendPing", always: "idle" }
          }
        }
      }
    },
    leaving: {
      entry: "sendFarewell",
      on: { "farewell.left": "ended", lost: "ended" },
      after: { farewellBound: "ended" }
    },
    ended: { type: "final", entry: ["endSocket", "tellEnded"] }
  }
})
