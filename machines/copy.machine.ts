import { assign, cancel, raise, setup } from "xstate"
import { keepAliveMs } from "../src/domain/durations.ts"
import type { Outcome, Settlement } from "../src/domain/outcome.ts"
import type { Ending, Plan, WireStep } from "../src/domain/plan.ts"

/** What can happen to a copy. `socket.written` answers `write`, `barrier.opened` answers `askBarrier`. */
export type CopyEvent =
  | { readonly type: "socket.written" }
  | { readonly type: "barrier.opened" }
  | { readonly type: "keepAlive.due" }
  | { readonly type: "plan.extended"; readonly plan: Plan }
  | { readonly type: "client.gone" }
  | { readonly type: "server.killed" }
  | { readonly type: "transport.failed" }

/**
 * One response in progress: executes any plan. It settles once, as crossed just before the step that the plan marks, or
 * as cancelled when the client or the server ends it earlier.
 *
 * **Source** DESIGN, section 2; inference-server.md, section 4.9; fault-server.md, section 7
 */
export const copyMachine = setup({
  types: {
    input: {} as { readonly plan: Plan },
    context: {} as { readonly plan: Plan; readonly index: number; readonly settled: boolean; readonly open: boolean },
    events: {} as CopyEvent
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    sendHead: (_, _params: { readonly step: WireStep | undefined }) => {},
    write: (_, _params: { readonly step: WireStep | undefined }) => {},
    flush: () => {},
    comment: () => {},
    askBarrier: (_, _params: { readonly step: WireStep | undefined }) => {},
    settle: (_, _params: { readonly as: Settlement }) => {},
    finish: (_, _params: { readonly how: Ending }) => {},
    conclude: (_, _params: { readonly outcome: Outcome }) => {},
    leave: () => {},
    advance: assign({ index: ({ context }) => context.index + 1 }),
    markSettled: assign({ settled: true }),
    markOpen: assign({ open: true }),
    // What is under way comes first: the step at the index, and those behind it.
    goOn: assign(({ context }, params: { readonly plan: Plan }) => {
      const rest = context.plan.steps.slice(context.index)
      const { steps, ending, crossesAt, keepAlive, isOpen = false } = params.plan
      return {
        plan: { steps: [...rest, ...steps], ending, crossesAt: rest.length + crossesAt, keepAlive, isOpen },
        index: 0
      }
    })
  },
  guards: {
    mustCross: ({ context }) =>
      context.index === context.plan.crossesAt && !context.settled && context.plan.isOpen !== true,
    isHead: ({ context }) => context.plan.steps[context.index]?.kind === "head",
    isWrite: ({ context }) => context.plan.steps[context.index]?.kind === "write",
    isPause: ({ context }) => context.plan.steps[context.index]?.kind === "pause",
    isBarrier: ({ context }) => context.plan.steps[context.index]?.kind === "barrier",
    isStarved: ({ context }) => context.index === context.plan.steps.length && context.plan.isOpen === true,
    isOpenPlan: ({ context }) => context.plan.isOpen === true,
    stalls: ({ context }) => context.plan.ending === "stall",
    isSettled: ({ context }) => context.settled,
    needsComment: ({ context }) => context.open && context.plan.keepAlive
  },
  delays: {
    keepAlive: keepAliveMs,
    pause: ({ context }) => {
      const step = context.plan.steps[context.index]
      return step?.kind === "pause" ? step.ms : 0
    }
  }
}).createMachine({
  id: "copy",
  context: ({ input }) => ({
    plan: input?.plan ?? { steps: [], ending: "end", crossesAt: 0, keepAlive: false },
    index: 0,
    settled: false,
    open: false
  }),
  initial: "sending",
  states: {
    sending: {
      initial: "deciding",
      on: {
        "plan.extended": {
          guard: "isOpenPlan",
          actions: { type: "goOn", params: ({ event }) => ({ plan: event.plan }) }
        },
        "client.gone": [
          { guard: "isSettled", target: "gone" },
          { target: "gone", actions: { type: "settle", params: { as: "cancelled" } } }
        ],
        "server.killed": [
          { guard: "isSettled", target: "gone", actions: { type: "finish", params: { how: "fin" } } },
          {
            target: "gone",
            actions: [
              { type: "settle", params: { as: "cancelled" } },
              { type: "finish", params: { how: "fin" } }
            ]
          }
        ],
        "transport.failed": [
          { guard: "isSettled", target: "failed", actions: { type: "finish", params: { how: "fin" } } },
          {
            target: "failed",
            actions: [
              { type: "settle", params: { as: "cancelled" } },
              { type: "finish", params: { how: "fin" } }
            ]
          }
        ]
      },
      states: {
        deciding: {
          always: [
            {
              guard: "mustCross",
              target: "deciding",
              reenter: true,
              actions: ["markSettled", { type: "settle", params: { as: "crossed" } }]
            },
            {
              guard: "isHead",
              target: "deciding",
              reenter: true,
              actions: [
                "markOpen",
                { type: "sendHead", params: ({ context }) => ({ step: context.plan.steps[context.index] }) },
                "advance"
              ]
            },
            { guard: "isWrite", target: "writing" },
            { guard: "isPause", target: "waiting" },
            { guard: "isBarrier", target: "waiting" },
            { guard: "isStarved", target: "waiting" },
            { guard: "stalls", target: "#copy.stalled" },
            { target: "#copy.ended" }
          ]
        },
        writing: {
          entry: { type: "write", params: ({ context }) => ({ step: context.plan.steps[context.index] }) },
          on: { "socket.written": { target: "deciding", actions: "advance" } }
        },
        waiting: {
          entry: ["flush", raise({ type: "keepAlive.due" }, { id: "keepAlive", delay: "keepAlive" })],
          exit: cancel("keepAlive"),
          initial: "choosing",
          on: {
            "keepAlive.due": {
              guard: "needsComment",
              actions: ["comment", raise({ type: "keepAlive.due" }, { id: "keepAlive", delay: "keepAlive" })]
            }
          },
          states: {
            choosing: {
              always: [
                { guard: "isPause", target: "pausing" },
                { guard: "isBarrier", target: "barred" },
                { guard: "isStarved", target: "starved" },
                { target: "#copy.sending.deciding" }
              ]
            },
            pausing: { after: { pause: { target: "choosing", actions: "advance" } } },
            starved: {
              on: {
                "plan.extended": {
                  target: "choosing",
                  actions: { type: "goOn", params: ({ event }) => ({ plan: event.plan }) }
                }
              }
            },
            barred: {
              entry: { type: "askBarrier", params: ({ context }) => ({ step: context.plan.steps[context.index] }) },
              on: { "barrier.opened": { target: "choosing", actions: "advance" } }
            }
          }
        }
      }
    },
    stalled: {
      entry: ["flush", { type: "conclude", params: { outcome: "stalled" } }],
      on: {
        "client.gone": "released",
        "server.killed": { target: "released", actions: { type: "finish", params: { how: "fin" } } },
        "transport.failed": "released"
      }
    },
    ended: {
      type: "final",
      entry: [
        { type: "finish", params: ({ context }) => ({ how: context.plan.ending }) },
        {
          type: "conclude",
          params: ({ context }) => ({ outcome: context.plan.ending === "end" ? "completed" : "reset" })
        },
        "leave"
      ]
    },
    gone: { type: "final", entry: [{ type: "conclude", params: { outcome: "client_closed" } }, "leave"] },
    failed: { type: "final", entry: [{ type: "conclude", params: { outcome: "server_error" } }, "leave"] },
    released: { type: "final", entry: "leave" }
  }
})
