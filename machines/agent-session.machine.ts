import { setup } from "xstate"
import type { CloseMode } from "../src/domain/close-mode.ts"
import { exitMsMax } from "../src/domain/session-limits.ts"

/**
 * What can happen to a session. `handshake.*` tells of `initialize` and `authenticate`; `failed` that the wire can be used no
 * more; `process.exited` answers `awaitExit`, `process.over` answers `closeProcess` and `killProcess`, `released` answers `release`.
 */
export type AgentSessionEvent =
  | { readonly type: "initialize" }
  | { readonly type: "handshake.accepted"; readonly needsAuth: boolean }
  | { readonly type: "handshake.failed" }
  | { readonly type: "wire.ended" }
  | { readonly type: "failed" }
  | { readonly type: "close"; readonly mode: CloseMode }
  | { readonly type: "process.exited" | "process.over" | "released" }

/**
 * One agent that is spoken to over ACP, from its start to the moment when nothing of it is left. What the single calls and
 * requests do is in charts of their own.
 *
 * **Source** agent-harness.md, sections 2.8 and 7.2
 */
export const agentSessionMachine = setup({
  types: {
    input: {} as { readonly leaveMs: number },
    context: {} as { readonly leaveMs: number },
    events: {} as AgentSessionEvent
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    sendInitialize: () => {},
    sendAuthenticate: () => {},
    settleHandshake: () => {},
    refuseHandshake: () => {},
    endCalls: () => {},
    endRequests: () => {},
    endInput: () => {},
    awaitExit: () => {},
    closeProcess: () => {},
    killProcess: () => {},
    release: () => {},
    tellClosed: () => {}
  },
  guards: {
    needsAuth: ({ event }) => event.type === "handshake.accepted" && event.needsAuth,
    isKill: ({ event }) => event.type === "close" && event.mode === "kill",
    isTerminate: ({ event }) => event.type === "close" && event.mode === "terminate"
  },
  delays: {
    exitBound: exitMsMax,
    leaveBound: ({ context }) => context.leaveMs
  }
}).createMachine({
  id: "agent-session",
  context: ({ input }) => ({ leaveMs: input?.leaveMs ?? 0 }),
  initial: "open",
  states: {
    open: {
      initial: "fresh",
      on: {
        "wire.ended": "closing.dying",
        failed: "closing.terminating",
        close: [
          { guard: "isKill", target: "closing.killing" },
          { guard: "isTerminate", target: "closing.terminating" },
          { target: "closing.leaving" }
        ],
        // Of a handshake that was given up.
        "handshake.*": {}
      },
      states: {
        fresh: { on: { initialize: "initializing" } },
        initializing: {
          entry: "sendInitialize",
          on: {
            initialize: {},
            "handshake.accepted": [
              { guard: "needsAuth", target: "authenticating" },
              { target: "ready", actions: "settleHandshake" }
            ],
            "handshake.failed": "fresh"
          }
        },
        authenticating: {
          entry: "sendAuthenticate",
          on: {
            initialize: {},
            "handshake.accepted": { target: "ready", actions: "settleHandshake" },
            "handshake.failed": "fresh"
          }
        },
        // What an agent makes of a second one is for the test to see.
        ready: { on: { initialize: "initializing" } }
      }
    },
    closing: {
      initial: "dying",
      on: {
        initialize: { actions: "refuseHandshake" },
        "wire.ended": {},
        failed: {},
        "handshake.*": {},
        "process.exited": {}
      },
      states: {
        // Its output has ended: it is about to say how it ended itself.
        dying: {
          entry: "awaitExit",
          exit: ["endCalls", "endRequests"],
          on: {
            "process.exited": "terminating",
            close: { guard: "isKill", target: "killing" }
          },
          after: { exitBound: "terminating" }
        },
        leaving: {
          entry: ["endCalls", "endInput", "awaitExit"],
          on: {
            "process.exited": "terminating",
            close: [
              { guard: "isKill", target: "killing" },
              { guard: "isTerminate", target: "terminating" }
            ]
          },
          after: { leaveBound: "terminating" }
        },
        terminating: {
          entry: ["endCalls", "closeProcess"],
          on: { "process.over": "releasing", close: { guard: "isKill", target: "killing" } }
        },
        killing: { entry: ["endCalls", "killProcess"], on: { "process.over": "releasing", close: {} } },
        // Who is asked to end and killed after all tells twice that it is over.
        releasing: {
          entry: ["endRequests", "release"],
          on: { "process.over": {}, close: {}, released: "#agent-session.closed" }
        }
      }
    },
    closed: { type: "final", entry: "tellClosed" }
  }
})
