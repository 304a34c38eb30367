import { and, assign, setup } from "xstate"
import type { Fingerprint } from "../src/domain/fingerprint.ts"
import type { Phase } from "../src/domain/phase.ts"

/** What can happen to an expectation. A `release` without a barrier opens all. */
export type ExpectationEvent =
  | { readonly type: "claim"; readonly fingerprint: Fingerprint | null }
  | { readonly type: "join" }
  | { readonly type: "primary.atBarrier"; readonly barrier: string }
  | { readonly type: "primary.crossed" | "primary.cancelled" }
  | { readonly type: "replay.crossed" | "replay.cancelled" }
  | { readonly type: "release"; readonly barrier: string | null }
  | { readonly type: "retire" }

/**
 * Lifecycle of one expectation: claimed once, satisfied when its primary crossed and no copy is active. Its barriers are
 * names in `closed`; a release takes one out, or all, and nothing puts one back. Nobody claims what was retired before.
 *
 * **Source** inference-server.md, sections 4.5, 4.6 and 4.8
 */
export const expectationMachine = setup({
  types: {
    input: {} as { readonly name: string; readonly barriers: ReadonlyArray<string> },
    context: {} as {
      readonly name: string
      readonly closed: ReadonlyArray<string>
      readonly fingerprint: Fingerprint | null
      readonly active: number
      readonly claims: number
      readonly primaryCrossed: boolean
    },
    events: {} as ExpectationEvent,
    output: {} as { readonly name: string; readonly claims: number; readonly satisfied: boolean }
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    publish: (_, _params: { readonly phase: Phase }) => {},
    countClaims: (_, _params: { readonly claims: number }) => {},
    reach: (_, _params: { readonly barrier: string }) => {},
    wakeCopies: (_, _params: { readonly barrier: string | null }) => {},
    retireCall: () => {},
    startCall: assign((_, params: { readonly fingerprint: Fingerprint | null }) => ({
      fingerprint: params.fingerprint,
      active: 1,
      claims: 1
    })),
    joinCall: assign(({ context }) => ({ active: context.active + 1, claims: context.claims + 1 })),
    crossPrimary: assign({ primaryCrossed: true }),
    settleCopy: assign({ active: ({ context }) => context.active - 1 }),
    openBarriers: assign(({ context }, params: { readonly barrier: string | null }) => ({
      closed: params.barrier === null ? [] : context.closed.filter((name) => name !== params.barrier)
    }))
  },
  guards: {
    hasFingerprint: ({ context }) => context.fingerprint !== null,
    isIdle: ({ context }) => context.active === 0,
    hasCrossed: ({ context }) => context.primaryCrossed
  }
}).createMachine({
  id: "expectation",
  context: ({ input }) => ({
    name: input?.name ?? "",
    closed: input?.barriers ?? [],
    fingerprint: null,
    active: 0,
    claims: 0,
    primaryCrossed: false
  }),
  initial: "pending",
  on: {
    release: {
      actions: [
        { type: "openBarriers", params: ({ event }) => ({ barrier: event.barrier }) },
        { type: "wakeCopies", params: ({ event }) => ({ barrier: event.barrier }) }
      ]
    }
  },
  states: {
    pending: {
      on: {
        claim: {
          target: "active",
          actions: [
            { type: "startCall", params: ({ event }) => ({ fingerprint: event.fingerprint }) },
            { type: "countClaims", params: ({ context }) => ({ claims: context.claims }) }
          ]
        },
        retire: "retired"
      }
    },
    active: {
      initial: "received",
      always: [
        { guard: and(["isIdle", "hasCrossed"]), target: "satisfied" },
        { guard: "isIdle", target: "abandoned" }
      ],
      on: {
        join: {
          guard: "hasFingerprint",
          actions: ["joinCall", { type: "countClaims", params: ({ context }) => ({ claims: context.claims }) }]
        },
        "primary.atBarrier": { actions: { type: "reach", params: ({ event }) => ({ barrier: event.barrier }) } },
        "primary.crossed": { actions: ["crossPrimary", "settleCopy"] },
        "primary.cancelled": { actions: "settleCopy" },
        "replay.*": { actions: "settleCopy" }
      },
      exit: "retireCall",
      states: {
        received: {
          entry: { type: "publish", params: { phase: "Received" } },
          on: {
            "primary.atBarrier": {
              target: "blocked",
              actions: { type: "reach", params: ({ event }) => ({ barrier: event.barrier }) }
            }
          }
        },
        blocked: { entry: { type: "publish", params: { phase: "Blocked" } } }
      }
    },
    satisfied: { type: "final", entry: { type: "publish", params: { phase: "Satisfied" } } },
    retired: { type: "final", entry: { type: "publish", params: { phase: "Retired" } } },
    abandoned: { type: "final", entry: { type: "publish", params: { phase: "Abandoned" } } }
  },
  output: ({ context }) => ({ name: context.name, claims: context.claims, satisfied: context.primaryCrossed })
})
