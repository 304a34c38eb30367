import { assign, setup } from "xstate"
import { proxyConnectMs } from "../src/domain/proxy-limits.ts"

/** What can happen to a connection. `connected` and `connect.failed` answer `connect`; `pump.ended` comes once of each pump. */
export type ProxyConnectionEvent =
  | { readonly type: "connected" }
  | { readonly type: "connect.failed"; readonly reason: string }
  | { readonly type: "pump.ended" }
  | { readonly type: "cut"; readonly reason: string }
  | { readonly type: "reset"; readonly reason: string }
  | { readonly type: "vanished" }
  /** One of the two sockets is gone, with an error of the system or without. */
  | { readonly type: "socket.closed"; readonly problem: string | null }
  | { readonly type: "sockets.gone" }

const cut = {
  target: "#proxy-connection.cutting",
  actions: [
    {
      type: "tellCut",
      params: ({ event }: { readonly event: Extract<ProxyConnectionEvent, { readonly reason: string }> }) => ({
        reason: event.reason
      })
    },
    "severPumps",
    "destroySockets"
  ]
} as const

const reset = { ...cut, actions: [cut.actions[0], "severPumps", "resetSockets"] } as const

/**
 * A client and the upstream that was connected for it, and the two pumps between them.
 *
 * **Source** agent-harness.md, section 7.5
 */
export const proxyConnectionMachine = setup({
  types: {
    context: {} as { readonly pumpsEnded: number; readonly hasVanished: boolean },
    events: {} as ProxyConnectionEvent
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    connect: () => {},
    giveUpConnect: () => {},
    startPumps: () => {},
    severPumps: () => {},
    destroySockets: () => {},
    resetSockets: () => {},
    tellRefused: (_, _params: { readonly reason: string }) => {},
    tellCut: (_, _params: { readonly reason: string }) => {},
    tellClosed: () => {},
    countPump: assign({ pumpsEnded: ({ context }) => context.pumpsEnded + 1 }),
    noteVanished: assign({ hasVanished: true })
  },
  guards: {
    isSecondPump: ({ context }) => context.pumpsEnded === 1,
    isVanished: ({ context }) => context.hasVanished,
    isBroken: ({ event }) => event.type === "socket.closed" && event.problem !== null
  },
  delays: { connectBound: proxyConnectMs }
}).createMachine({
  id: "proxy-connection",
  context: () => ({ pumpsEnded: 0, hasVanished: false }),
  initial: "connecting",
  states: {
    connecting: {
      entry: "connect",
      on: {
        connected: "piping",
        vanished: { actions: "noteVanished" },
        "connect.failed": {
          target: "closing",
          actions: [{ type: "tellRefused", params: ({ event }) => ({ reason: event.reason }) }, "destroySockets"]
        },
        // The client is the only socket that there is.
        "socket.closed": { target: "closing", actions: ["giveUpConnect", "destroySockets"] },
        cut: { ...cut, actions: ["giveUpConnect", ...cut.actions] },
        reset: { ...reset, actions: ["giveUpConnect", ...reset.actions] }
      },
      after: {
        connectBound: {
          target: "closing",
          actions: [
            "giveUpConnect",
            { type: "tellRefused", params: { reason: `not connected after ${proxyConnectMs} ms` } },
            "destroySockets"
          ]
        }
      }
    },
    piping: {
      entry: "startPumps",
      on: {
        "pump.ended": [{ guard: "isSecondPump", target: "closing", actions: "countPump" }, { actions: "countPump" }],
        cut,
        reset,
        vanished: { actions: "noteVanished" },
        "socket.closed": [
          { guard: "isVanished" },
          {
            guard: "isBroken",
            target: "cutting",
            actions: [
              { type: "tellCut", params: ({ event }) => ({ reason: `a peer has gone (${event.problem})` }) },
              "severPumps",
              "destroySockets"
            ]
          }
        ],
        "sockets.gone": { target: "closed", actions: "severPumps" }
      }
    },
    // Everything was written, and both sockets end by themselves.
    closing: {
      on: {
        cut: { actions: ["severPumps", "destroySockets"] },
        reset: { actions: ["severPumps", "destroySockets"] },
        "socket.closed": { guard: "isBroken", actions: "destroySockets" },
        "sockets.gone": "closed"
      }
    },
    cutting: { on: { "sockets.gone": "closed", cut: { actions: "destroySockets" } } },
    closed: { type: "final", entry: "tellClosed" }
  }
})
