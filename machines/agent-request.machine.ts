import { setup } from "xstate"
import type { RefusalReason } from "../src/domain/refusal-reason.ts"

/** What can happen to a request of an agent. `cancel.asked` is the agent's own, `wire.ended` is the end of everything. */
export type AgentRequestEvent =
  | { readonly type: "answer.given"; readonly result: unknown }
  | { readonly type: "refusal.given"; readonly error: RefusalReason }
  | { readonly type: "held" }
  | { readonly type: "cancel.asked" }
  | { readonly type: "wire.ended" }

/**
 * One request that an agent made: it gets exactly one answer, unless the wire ends first.
 *
 * **Source** agent-harness.md, sections 2.5 and 7.2
 */
export const agentRequestMachine = setup({
  types: {
    context: {} as Readonly<Record<never, never>>,
    events: {} as AgentRequestEvent
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    handle: () => {},
    sendResult: (_, _params: { readonly result: unknown }) => {},
    sendRefusal: (_, _params: { readonly error: RefusalReason }) => {},
    sendCancelled: () => {},
    abortHandler: () => {},
    forget: () => {}
  }
}).createMachine({
  id: "agent-request",
  context: () => ({}),
  initial: "open",
  states: {
    open: {
      initial: "handled",
      on: {
        "answer.given": {
          target: "answered",
          actions: { type: "sendResult", params: ({ event }) => ({ result: event.result }) }
        },
        "refusal.given": {
          target: "answered",
          actions: { type: "sendRefusal", params: ({ event }) => ({ error: event.error }) }
        },
        "cancel.asked": { target: "cancelled", actions: ["abortHandler", "sendCancelled"] },
        "wire.ended": { target: "dropped", actions: "abortHandler" }
      },
      states: {
        // A handler has it, which may have answered before this step is over.
        handled: { entry: "handle", on: { held: "held" } },
        // The test has it.
        held: { on: { held: {} } }
      }
    },
    answered: { type: "final", entry: "forget" },
    cancelled: { type: "final", entry: "forget" },
    dropped: { type: "final", entry: "forget" }
  }
})
