import { setup } from "xstate"
import { registrationMs } from "../src/domain/fake-leader-limits.ts"

/** How a client introduces itself. */
export interface Introduction {
  readonly clientType: string
  readonly mode: "headless" | "stdio"
  /** The version of its program; `null` when it does not say. */
  readonly version: string | null
}

/** What can happen to a client of a leader. What it says is one event by its type; `garbled` is what is no message. */
export type FakeLeaderPeerEvent =
  | { readonly type: "register"; readonly introduction: Introduction }
  | { readonly type: "acp"; readonly payload: string }
  | { readonly type: "control"; readonly requestId: string; readonly command: unknown }
  | { readonly type: "ping" | "disconnect" | "unknown" }
  | { readonly type: "garbled" }
  | { readonly type: "socket.closed" | "leader.closing" }

const refuse = (code: number, message: string) => ({ type: "refuse", params: { code, message } }) as const
const tooEarly = { target: "closed", actions: refuse(1, "expected register") } as const

/**
 * One client of a leader, from its connection to its end.
 *
 * **Source** agent-harness.md, section 5.1, "IPC messages"
 */
export const fakeLeaderPeerMachine = setup({
  types: {
    context: {} as Readonly<Record<never, never>>,
    events: {} as FakeLeaderPeerEvent
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    admit: (_, _params: { readonly introduction: Introduction }) => {},
    dismiss: () => {},
    route: (_, _params: { readonly payload: string }) => {},
    answerControl: (_, _params: { readonly requestId: string; readonly command: unknown }) => {},
    answerPing: () => {},
    refuse: (_, _params: { readonly code: number; readonly message: string }) => {},
    closeSocket: () => {}
  },
  delays: { registration: registrationMs }
}).createMachine({
  id: "fake-leader-peer",
  context: () => ({}),
  initial: "registering",
  on: { "socket.closed": ".closed", "leader.closing": ".closed", garbled: ".closed" },
  states: {
    registering: {
      on: {
        register: {
          target: "registered",
          actions: { type: "admit", params: ({ event }) => ({ introduction: event.introduction }) }
        },
        acp: tooEarly,
        control: tooEarly,
        ping: tooEarly,
        disconnect: tooEarly,
        unknown: tooEarly
      },
      after: { registration: { target: "closed", actions: refuse(3, "registration timeout") } }
    },
    registered: {
      exit: "dismiss",
      on: {
        register: { actions: refuse(2, "already registered") },
        acp: { actions: { type: "route", params: ({ event }) => ({ payload: event.payload }) } },
        control: {
          actions: {
            type: "answerControl",
            params: ({ event }) => ({ requestId: event.requestId, command: event.command })
          }
        },
        ping: { actions: "answerPing" },
        disconnect: "closed",
        unknown: {}
      }
    },
    closed: { type: "final", entry: "closeSocket" }
  }
})
