import { assign, setup } from "xstate"

/** What can happen to a sender. `chunk.left` and `write.failed` answer `writeChunk`; `gapMs` is what comes before the next chunk. */
export type RawSenderEvent =
  | { readonly type: "send" }
  | { readonly type: "chunk.left"; readonly isLast: boolean; readonly gapMs: number }
  | { readonly type: "write.failed" }
  | { readonly type: "abort" }

/**
 * What a raw client sends: one thing after the other, each in chunks with gaps between them. Nothing is sent in the gaps of
 * another.
 *
 * **Source** agent-harness.md, sections 3.2 and 7.2, `SEND`
 */
export const rawSenderMachine = setup({
  types: {
    context: {} as {
      /** Things to be sent, the one that is under way among them. */
      readonly waiting: number
      readonly gapMs: number
    },
    events: {} as RawSenderEvent
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    writeChunk: () => {},
    tellSent: () => {},
    tellFailed: () => {},
    dropAll: () => {},
    count: assign({ waiting: ({ context }) => context.waiting + 1 }),
    uncount: assign({ waiting: ({ context }) => context.waiting - 1 }),
    recordGap: assign((_, { gapMs }: { readonly gapMs: number }) => ({ gapMs }))
  },
  guards: {
    hasWork: ({ context }) => context.waiting > 0,
    isLast: ({ event }) => event.type === "chunk.left" && event.isLast
  },
  delays: { gap: ({ context }) => context.gapMs }
}).createMachine({
  id: "raw-sender",
  context: () => ({ waiting: 0, gapMs: 0 }),
  initial: "idle",
  on: { send: { actions: "count" }, abort: ".aborted" },
  states: {
    idle: { always: { guard: "hasWork", target: "writing" } },
    writing: {
      entry: "writeChunk",
      on: {
        "chunk.left": [
          { guard: "isLast", target: "idle", actions: ["tellSent", "uncount"] },
          { target: "pausing", actions: { type: "recordGap", params: ({ event }) => ({ gapMs: event.gapMs }) } }
        ],
        "write.failed": { target: "idle", actions: ["tellFailed", "uncount"] }
      }
    },
    pausing: { after: { gap: "writing" } },
    aborted: { type: "final", entry: "dropAll" }
  }
})
