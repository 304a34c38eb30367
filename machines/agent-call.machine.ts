import { setup } from "xstate"
import { unsentMs } from "../src/domain/session-limits.ts"

/** What an agent answered, as `src/wire/acp` reads it; the chart does not look into it. */
export interface CallAnswer {
  readonly kind: "result" | "error" | "broken"
}

/**
 * What can happen to a call. `unsent` says that the agent takes no input any more, `closed` that the session has ended,
 * `cancelled` that the caller does not want it any more.
 */
export type AgentCallEvent =
  | { readonly type: "answered"; readonly answer: CallAnswer }
  | { readonly type: "unsent" }
  | { readonly type: "closed" }
  | { readonly type: "cancelled" }

/**
 * One request to an agent: it settles exactly once, and its id stays known until its answer has come, however late.
 *
 * **Source** agent-harness.md, sections 2.4 and 7.2
 */
export const agentCallMachine = setup({
  types: {
    input: {} as { readonly deadlineMs: number | null },
    context: {} as { readonly deadlineMs: number | null },
    events: {} as AgentCallEvent
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    settle: (_, _params: { readonly answer: CallAnswer }) => {},
    rejectClosed: () => {},
    rejectUnsent: () => {},
    rejectLate: () => {},
    rejectCancelled: () => {},
    forget: () => {}
  },
  guards: { isBounded: ({ context }) => context.deadlineMs !== null },
  delays: {
    deadline: ({ context }) => context.deadlineMs ?? 0,
    unsentBound: unsentMs
  }
}).createMachine({
  id: "agent-call",
  context: ({ input }) => ({ deadlineMs: input?.deadlineMs ?? null }),
  initial: "waiting",
  states: {
    waiting: {
      initial: "choosing",
      on: {
        answered: {
          target: "settled",
          actions: { type: "settle", params: ({ event }) => ({ answer: event.answer }) }
        },
        closed: { target: "settled", actions: "rejectClosed" },
        cancelled: { target: "abandoned", actions: "rejectCancelled" }
      },
      states: {
        choosing: { always: [{ guard: "isBounded", target: "bounded" }, { target: "unbounded" }] },
        bounded: {
          on: { unsent: "unsent" },
          after: { deadline: { target: "#agent-call.abandoned", actions: "rejectLate" } }
        },
        unbounded: { on: { unsent: "unsent" } },
        // Most often it is about to end, and then its end says more than its closed input.
        unsent: {
          on: { unsent: {} },
          after: { unsentBound: { target: "#agent-call.settled", actions: "rejectUnsent" } }
        }
      }
    },
    // Told already; a late answer is taken for what it is.
    abandoned: { on: { answered: "settled", closed: "settled", cancelled: {}, unsent: "settled" } },
    settled: { type: "final", entry: "forget" }
  }
})
