import { assign, setup } from "xstate"

/** What can happen to a lane: an exchange is accepted and takes the next entry. */
export type LaneEvent = { readonly type: "take" }

/**
 * The cursor of one fault script. Each accepted exchange takes exactly one entry, in order; behind the last one the lane
 * repeats it or is exhausted, for ever.
 *
 * **Source** fault-server.md, sections 3.1 and 7.5
 */
export const laneMachine = setup({
  types: {
    input: {} as { readonly length: number; readonly repeatLast: boolean },
    context: {} as {
      readonly length: number
      readonly repeatLast: boolean
      readonly cursor: number
      readonly taken: number
    },
    events: {} as LaneEvent
  },
  actions: {
    // Declared only: the supervisor reads it from the step and performs it.
    yieldEntry: (_, _params: { readonly index: number | null; readonly attempt: number }) => {},
    advance: assign({ cursor: ({ context }) => context.cursor + 1, taken: ({ context }) => context.taken + 1 }),
    count: assign({ taken: ({ context }) => context.taken + 1 })
  },
  guards: {
    isPast: ({ context }) => context.cursor >= context.length,
    repeats: ({ context }) => context.cursor >= context.length && context.repeatLast
  }
}).createMachine({
  id: "lane",
  context: ({ input }) => ({
    length: input?.length ?? 0,
    repeatLast: input?.repeatLast ?? false,
    cursor: 0,
    taken: 0
  }),
  initial: "running",
  states: {
    running: {
      always: [
        { guard: "repeats", target: "repeating" },
        { guard: "isPast", target: "exhausted" }
      ],
      on: {
        take: {
          target: "running",
          reenter: true,
          actions: [
            {
              type: "yieldEntry",
              params: ({ context }) => ({ index: context.cursor, attempt: context.taken + 1 })
            },
            "advance"
          ]
        }
      }
    },
    repeating: {
      on: {
        take: {
          actions: [
            {
              type: "yieldEntry",
              params: ({ context }) => ({ index: context.length - 1, attempt: context.taken + 1 })
            },
            "count"
          ]
        }
      }
    },
    exhausted: {
      on: {
        take: {
          actions: [
            { type: "yieldEntry", params: ({ context }) => ({ index: null, attempt: context.taken + 1 }) },
            "count"
          ]
        }
      }
    }
  }
})
