import { assign, setup } from "xstate"
import { bindMsMax, rebindPauseMs } from "../src/domain/durations.ts"

/** What can happen to a listener. `bound`, `bind.failed` and `drained` are answers of the transport. */
export type ListenerEvent =
  | { readonly type: "bind.requested" }
  | { readonly type: "bound" }
  | { readonly type: "bind.failed"; readonly reason: string }
  | { readonly type: "refuse.requested" }
  | { readonly type: "accept.requested" }
  | { readonly type: "close.requested"; readonly drainMs: number }
  | { readonly type: "drained" }

/**
 * One listening port: bound, refusing for a while, bound again, drained, closed. A port that cannot be bound again at once
 * is tried until the same deadline. Closing lets responses in progress run on for
 * `drainMs`, then ends them.
 *
 * **Source** inference-server.md, section 10; fault-server.md, sections 7.5 and 9.2
 */
export const listenerMachine = setup({
  types: {
    context: {} as { readonly drainMs: number; readonly reason: string },
    events: {} as ListenerEvent,
    output: {} as { readonly reason: string }
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    bind: () => {},
    announce: () => {},
    unbind: () => {},
    closeIdle: () => {},
    endRest: () => {},
    report: (_, _params: { readonly reason: string }) => {},
    limitDrain: assign((_, params: { readonly drainMs: number }) => ({ drainMs: params.drainMs })),
    giveReason: assign((_, params: { readonly reason: string }) => ({ reason: params.reason }))
  },
  guards: {
    isNow: ({ event }) => event.type === "close.requested" && event.drainMs === 0
  },
  delays: {
    bindDeadline: bindMsMax,
    rebindPause: rebindPauseMs,
    drainBound: ({ context }) => context.drainMs
  }
}).createMachine({
  id: "listener",
  context: () => ({ drainMs: 0, reason: "" }),
  initial: "unbound",
  on: {
    "close.requested": {
      target: ".draining",
      actions: { type: "limitDrain", params: ({ event }) => ({ drainMs: event.drainMs }) }
    }
  },
  states: {
    unbound: { on: { "bind.requested": "binding" } },
    binding: {
      entry: "bind",
      on: {
        bound: "listening",
        "bind.failed": {
          target: "failed",
          actions: { type: "giveReason", params: ({ event }) => ({ reason: event.reason }) }
        }
      },
      after: {
        bindDeadline: {
          target: "failed",
          actions: { type: "giveReason", params: { reason: "mock server not ready within 5s" } }
        }
      }
    },
    listening: { entry: "announce", on: { "refuse.requested": "refusing" } },
    refusing: {
      entry: ["unbind", "closeIdle", "announce"],
      on: {
        "accept.requested": {
          target: "rebinding",
          actions: { type: "giveReason", params: { reason: "nothing answered within 5s" } }
        }
      }
    },
    rebinding: {
      initial: "trying",
      on: { "refuse.requested": "refusing" },
      after: {
        // The reason is the one that the system gave last.
        bindDeadline: "failed"
      },
      states: {
        trying: {
          entry: "bind",
          on: {
            bound: "#listener.listening",
            "bind.failed": {
              target: "pausing",
              actions: { type: "giveReason", params: ({ event }) => ({ reason: event.reason }) }
            }
          }
        },
        pausing: { after: { rebindPause: "trying" } }
      }
    },
    draining: {
      entry: ["unbind", "closeIdle"],
      on: {
        drained: "closed",
        // A second close waits for the same end, or asks for it now.
        "close.requested": [{ guard: "isNow", target: "ending" }, {}]
      },
      after: { drainBound: "ending" }
    },
    // The rest is being cut; the last connection to go ends it.
    ending: { entry: "endRest", on: { drained: "closed", "close.requested": {} } },
    closed: { type: "final", entry: "announce" },
    failed: {
      type: "final",
      entry: ["unbind", { type: "report", params: ({ context }) => ({ reason: context.reason }) }]
    }
  },
  output: ({ context }) => ({ reason: context.reason })
})
