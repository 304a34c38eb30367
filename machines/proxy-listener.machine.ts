import { assign, setup } from "xstate"

/** What can happen to a listener. `bound`, `bind.failed` and `lost` come from the system; `connections.gone` when none is open. */
export type ProxyListenerEvent =
  | { readonly type: "bound" }
  | { readonly type: "bind.failed" }
  | { readonly type: "accepted" }
  | { readonly type: "lost"; readonly reason: string }
  | { readonly type: "stop" }
  | { readonly type: "unbound" }
  | { readonly type: "connections.gone" }

/**
 * The listener of a fault proxy, which starts a connection for each client.
 *
 * **Source** agent-harness.md, section 7.5
 */
export const proxyListenerMachine = setup({
  types: {
    context: {} as { readonly isUnbound: boolean; readonly areGone: boolean },
    events: {} as ProxyListenerEvent
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    bind: () => {},
    tellBound: () => {},
    tellFailed: () => {},
    startConnection: () => {},
    refuseConnection: () => {},
    tellLost: (_, _params: { readonly reason: string }) => {},
    unbind: () => {},
    cutAll: () => {},
    tellStopped: () => {},
    noteUnbound: assign({ isUnbound: true }),
    noteGone: assign({ areGone: true })
  },
  guards: {
    isUnbound: ({ context }) => context.isUnbound,
    areGone: ({ context }) => context.areGone
  }
}).createMachine({
  id: "proxy-listener",
  context: () => ({ isUnbound: false, areGone: false }),
  initial: "binding",
  states: {
    binding: {
      entry: "bind",
      on: { bound: "accepting", "bind.failed": "failed", stop: "stopping" }
    },
    accepting: {
      entry: "tellBound",
      on: {
        accepted: { actions: "startConnection" },
        lost: { target: "lost", actions: { type: "tellLost", params: ({ event }) => ({ reason: event.reason }) } },
        stop: "stopping"
      }
    },
    // Connections go on.
    lost: { on: { accepted: { actions: "refuseConnection" }, stop: "stopping" } },
    stopping: {
      entry: ["unbind", "cutAll"],
      on: {
        accepted: { actions: "refuseConnection" },
        unbound: [{ guard: "areGone", target: "stopped" }, { actions: "noteUnbound" }],
        "connections.gone": [{ guard: "isUnbound", target: "stopped" }, { actions: "noteGone" }]
      }
    },
    stopped: { type: "final", entry: "tellStopped" },
    failed: { type: "final", entry: "tellFailed" }
  }
})
