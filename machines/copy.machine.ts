import { and, assign, cancel, raise, setup } from "xstate"
import { keepAliveMs } from "../src/domain/durations.ts"
import { alsoSaid, begun, bytesAhead, type SaidPlan } from "../src/domain/held-plan.ts"
import type { Outcome, Settlement } from "../src/domain/outcome.ts"
import type { Ending, Plan, WireStep } from "../src/domain/plan.ts"

/** What can happen to a copy. `socket.written` answers `write` and `beat`, `barrier.opened` answers `askBarrier`. */
export type CopyEvent =
  | { readonly type: "turn.begun" }
  | { readonly type: "socket.written" }
  | { readonly type: "barrier.opened" }
  | { readonly type: "keepAlive.due" }
  | { readonly type: "heartbeat.due" }
  | { readonly type: "plan.extended"; readonly plan: Plan }
  | { readonly type: "client.gone" }
  | { readonly type: "server.killed" }
  | { readonly type: "transport.failed" }

/**
 * One response in progress: executes any plan. It settles once, as crossed just before the step that the plan marks, or
 * as cancelled when the client or the server ends it earlier. One that stands behind others on its connection does nothing
 * of its plan before its turn has begun.
 *
 * **Source** DESIGN, section 2; inference-server.md, section 4.9; fault-server.md, section 7
 */
export const copyMachine = setup({
  types: {
    input: {} as { readonly plan: Plan; readonly isQueued?: boolean },
    context: {} as {
      readonly plan: Plan
      readonly index: number
      /** What comes behind the plan; it is begun when the plan is spent. */
      readonly said: SaidPlan | null
      /** The bytes from each step on, of a plan that was said. */
      readonly bytesAhead: ReadonlyArray<number>
      readonly queued: boolean
      readonly settled: boolean
      readonly open: boolean
      /** The last heartbeat has left: a reader that is behind gets no second one. */
      readonly heard: boolean
    },
    events: {} as CopyEvent
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    sendHead: (_, _params: { readonly step: WireStep | undefined }) => {},
    write: (_, _params: { readonly step: WireStep | undefined }) => {},
    flush: () => {},
    comment: () => {},
    beat: (_, _params: { readonly bytes: string }) => {},
    askBarrier: (_, _params: { readonly step: WireStep | undefined }) => {},
    settle: (_, _params: { readonly as: Settlement }) => {},
    finish: (_, _params: { readonly how: Ending }) => {},
    conclude: (_, _params: { readonly outcome: Outcome }) => {},
    hush: (_, _params: { readonly how: Ending }) => {},
    letGo: (_, _params: { readonly by: "client" | "server" }) => {},
    leave: () => {},
    advance: assign({ index: ({ context }) => context.index + 1 }),
    markSettled: assign({ settled: true }),
    markOpen: assign({ open: true }),
    markHeard: assign({ heard: true }),
    markUnheard: assign({ heard: false }),
    // What is under way comes first: nothing of it is copied for what comes behind it.
    hear: assign({ said: ({ context }, params: { readonly plan: Plan }) => alsoSaid(context.said, params.plan) }),
    goOn: assign(({ context }) => {
      const plan = context.said === null ? context.plan : begun(context.said)
      return { plan, index: 0, said: null, bytesAhead: bytesAhead(plan) }
    })
  },
  guards: {
    isQueued: ({ context }) => context.queued,
    mustCross: ({ context }) =>
      context.index === context.plan.crossesAt && !context.settled && context.plan.isOpen !== true,
    isHead: ({ context }) => context.plan.steps[context.index]?.kind === "head",
    isWrite: ({ context }) => context.plan.steps[context.index]?.kind === "write",
    isPause: ({ context }) => context.plan.steps[context.index]?.kind === "pause",
    isBarrier: ({ context }) => context.plan.steps[context.index]?.kind === "barrier",
    isSpent: ({ context }) => context.index === context.plan.steps.length && context.said !== null,
    isStarved: ({ context }) => context.index === context.plan.steps.length && context.plan.isOpen === true,
    isOpenPlan: ({ context }) => (context.said?.newest ?? context.plan).isOpen === true,
    stalls: ({ context }) => context.plan.ending === "stall" || context.plan.ending === "vanish",
    beats: ({ context }) => context.plan.ending === "stall" && context.plan.heartbeat !== undefined,
    isHeard: ({ context }) => context.heard,
    isSettled: ({ context }) => context.settled,
    needsComment: ({ context }) => context.open && context.plan.keepAlive
  },
  delays: {
    keepAlive: keepAliveMs,
    heartbeat: ({ context }) => context.plan.heartbeat?.ms ?? keepAliveMs,
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
    said: null,
    bytesAhead: [],
    queued: input?.isQueued ?? false,
    settled: false,
    open: false,
    heard: true
  }),
  initial: "sending",
  states: {
    sending: {
      initial: "arriving",
      on: {
        "plan.extended": {
          guard: "isOpenPlan",
          actions: { type: "hear", params: ({ event }) => ({ plan: event.plan }) }
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
        arriving: { always: [{ guard: "isQueued", target: "queued" }, { target: "deciding" }] },
        queued: { on: { "turn.begun": "deciding" } },
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
            { guard: "isSpent", target: "deciding", reenter: true, actions: "goOn" },
            { guard: "isStarved", target: "waiting" },
            { guard: "beats", target: "#copy.stalled", actions: raise({ type: "heartbeat.due" }) },
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
                {
                  guard: "mustCross",
                  target: "choosing",
                  reenter: true,
                  actions: ["markSettled", { type: "settle", params: { as: "crossed" } }]
                },
                { guard: "isPause", target: "pausing" },
                { guard: "isBarrier", target: "barred" },
                { guard: "isSpent", target: "choosing", reenter: true, actions: "goOn" },
                { guard: "isStarved", target: "starved" },
                { target: "#copy.sending.deciding" }
              ]
            },
            pausing: { after: { pause: { target: "choosing", actions: "advance" } } },
            starved: {
              on: {
                "plan.extended": {
                  target: "choosing",
                  actions: { type: "hear", params: ({ event }) => ({ plan: event.plan }) }
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
      entry: [
        "flush",
        { type: "hush", params: ({ context }) => ({ how: context.plan.ending }) },
        { type: "conclude", params: { outcome: "stalled" } }
      ],
      exit: cancel("heartbeat"),
      on: {
        "heartbeat.due": [
          {
            guard: and(["beats", "isHeard"]),
            actions: [
              "markUnheard",
              { type: "beat", params: ({ context }) => ({ bytes: context.plan.heartbeat?.bytes ?? "" }) },
              raise({ type: "heartbeat.due" }, { id: "heartbeat", delay: "heartbeat" })
            ]
          },
          { guard: "beats", actions: raise({ type: "heartbeat.due" }, { id: "heartbeat", delay: "heartbeat" }) }
        ],
        "socket.written": { guard: "beats", actions: "markHeard" },
        "client.gone": { target: "released", actions: { type: "letGo", params: { by: "client" } } },
        "server.killed": {
          target: "released",
          actions: [
            { type: "letGo", params: { by: "server" } },
            { type: "finish", params: { how: "fin" } }
          ]
        },
        "transport.failed": { target: "released", actions: { type: "letGo", params: { by: "client" } } }
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
