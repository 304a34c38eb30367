import { assign, setup } from "xstate"

/**
 * What can happen to a scope. `resource.next`, `scope.next` and `none.left` answer `pick`; `released` says that the resource of that
 * number is gone, or cannot be given back; `check.over` answers `check`.
 */
export type HarnessScopeEvent =
  | { readonly type: "close" }
  | { readonly type: "resource.next"; readonly number: number; readonly boundMs: number }
  | { readonly type: "scope.next"; readonly number: number }
  | { readonly type: "none.left" }
  | { readonly type: "released"; readonly number: number }
  | { readonly type: "check.over" }

/**
 * A lifetime that owns resources and other scopes. When it closes it gives them back one at a time, the newest first, each within
 * its bound; then it looks whether anything is left. Nothing interrupts that. An inner scope has the bounds of what is in it.
 *
 * **Source** agent-harness.md, section 7.6
 */
export const harnessScopeMachine = setup({
  types: {
    context: {} as {
      /** What is being given back. */
      readonly number: number
      readonly boundMs: number
    },
    events: {} as HarnessScopeEvent
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    pick: () => {},
    release: (_, _params: { readonly number: number }) => {},
    giveUp: (_, _params: { readonly number: number; readonly boundMs: number }) => {},
    check: () => {},
    tellClosed: () => {},
    takeUp: assign((_, next: { readonly number: number; readonly boundMs: number }) => next)
  },
  guards: { isCurrent: ({ context, event }) => event.type === "released" && event.number === context.number },
  delays: { bound: ({ context }) => context.boundMs }
}).createMachine({
  id: "harness-scope",
  context: () => ({ number: 0, boundMs: 0 }),
  initial: "open",
  states: {
    open: { on: { close: "closing", released: {} } },
    closing: {
      initial: "picking",
      // What was given up may come back late.
      on: { close: {}, released: {} },
      states: {
        picking: {
          entry: "pick",
          on: {
            "resource.next": {
              target: "releasing",
              actions: {
                type: "takeUp",
                params: ({ event }) => ({ number: event.number, boundMs: event.boundMs })
              }
            },
            "scope.next": {
              target: "leaving",
              actions: { type: "takeUp", params: ({ event }) => ({ number: event.number, boundMs: 0 }) }
            },
            "none.left": "#harness-scope.checking"
          }
        },
        releasing: {
          entry: { type: "release", params: ({ context }) => ({ number: context.number }) },
          on: { released: { guard: "isCurrent", target: "picking" } },
          after: {
            bound: {
              target: "picking",
              actions: {
                type: "giveUp",
                params: ({ context }) => ({ number: context.number, boundMs: context.boundMs })
              }
            }
          }
        },
        leaving: {
          entry: { type: "release", params: ({ context }) => ({ number: context.number }) },
          on: { released: { guard: "isCurrent", target: "picking" } }
        }
      }
    },
    checking: { entry: "check", on: { "check.over": "closed", close: {}, released: {} } },
    closed: { type: "final", entry: "tellClosed" }
  }
})
