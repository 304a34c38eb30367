import { and, assign, setup } from "xstate"
import type { CloseMode } from "../src/domain/close-mode.ts"
import { lastWordsMs, shownLinesMax } from "../src/domain/raw-limits.ts"

/** What a line is to a wait: the one it is for, one that made its predicate throw, or one that is passed over. */
export type RawVerdict = "match" | "failed" | "skip"

/** What can happen to a raw client. `line`, behind its `request`, and `lines.over` answer `readLine`. */
export type RawClientEvent =
  | { readonly type: "wait"; readonly wait: number; readonly ms: number; readonly isKept: boolean }
  | { readonly type: "request"; readonly text: string }
  | {
      readonly type: "line"
      readonly verdict: RawVerdict
      readonly text: string
      /** Whether it is a response to an id that is a string. */
      readonly isResponse: boolean
    }
  | { readonly type: "lines.over" }
  | { readonly type: "process.drained" }
  | { readonly type: "close"; readonly mode: CloseMode }
  | { readonly type: "process.left" }
  | { readonly type: "process.stuck" }
  | { readonly type: "released" }

const settle = { type: "settle" } as const
const rejectOver = { target: "#raw-client.open.idle", actions: { ...settle, params: { how: "over" } } } as const

/**
 * A client that reads lines only while somebody waits for one.
 *
 * **Source** agent-harness.md, sections 3 and 7.2
 */
export const rawClientMachine = setup({
  types: {
    input: {} as { readonly keepsResponses: boolean; readonly eofMs: number },
    context: {} as {
      readonly keepsResponses: boolean
      readonly eofMs: number
      /** Number of the wait that goes on. */
      readonly wait: number
      readonly waitMs: number
      readonly skipped: number
      /** The last lines that it passed over. */
      readonly tail: ReadonlyArray<string>
      /** Whether nothing more is read. */
      readonly isOver: boolean
      /** Whether the last words of the agent on stderr are there, or are waited for no longer. */
      readonly hasLastWords: boolean
      readonly mode: CloseMode
    },
    events: {} as RawClientEvent
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    readLine: () => {},
    stopReading: () => {},
    answer: (_, _params: { readonly text: string }) => {},
    keep: (_, _params: { readonly text: string }) => {},
    settle: (_, _params: { readonly how: "match" | "failed" | "expired" | "over" }) => {},
    settleKept: (_, _params: { readonly wait: number }) => {},
    refuseWait: (_, _params: { readonly wait: number }) => {},
    rejectClosed: () => {},
    endInput: () => {},
    endProcess: (_, _params: { readonly mode: CloseMode }) => {},
    killProcess: () => {},
    release: () => {},
    tellClosed: () => {},
    begin: assign((_, { wait, ms }: { readonly wait: number; readonly ms: number }) => ({
      wait,
      waitMs: ms,
      skipped: 0,
      tail: []
    })),
    skip: assign(({ context }, { text }: { readonly text: string }) => ({
      skipped: context.skipped + 1,
      tail: [...context.tail, text].slice(-shownLinesMax)
    })),
    markOver: assign({ isOver: true }),
    markLastWords: assign({ hasLastWords: true }),
    recordMode: assign((_, { mode }: { readonly mode: CloseMode }) => ({ mode }))
  },
  guards: {
    isKept: ({ event }) => event.type === "wait" && event.isKept,
    isMatch: ({ event }) => event.type === "line" && event.verdict === "match",
    isFailed: ({ event }) => event.type === "line" && event.verdict === "failed",
    isResponse: ({ event }) => event.type === "line" && event.isResponse,
    keepsResponses: ({ context }) => context.keepsResponses,
    isOver: ({ context }) => context.isOver,
    hasLastWords: ({ context }) => context.hasLastWords,
    isEof: ({ context }) => context.mode === "eof",
    isKill: ({ event }) => event.type === "close" && event.mode === "kill"
  },
  delays: {
    deadline: ({ context }) => context.waitMs,
    lastWordsBound: lastWordsMs,
    eofBound: ({ context }) => context.eofMs
  }
}).createMachine({
  id: "raw-client",
  context: ({ input }) => ({
    keepsResponses: input?.keepsResponses ?? true,
    eofMs: input?.eofMs ?? 0,
    wait: 0,
    waitMs: 0,
    skipped: 0,
    tail: [],
    isOver: false,
    hasLastWords: false,
    mode: "terminate"
  }),
  initial: "open",
  on: { "process.drained": { actions: "markLastWords" } },
  states: {
    open: {
      initial: "idle",
      on: {
        request: { actions: { type: "answer", params: ({ event }) => ({ text: event.text }) } },
        close: {
          target: "closing",
          actions: { type: "recordMode", params: ({ event }) => ({ mode: event.mode }) }
        }
      },
      states: {
        idle: {
          on: {
            wait: [
              { guard: "isKept", actions: { type: "settleKept", params: ({ event }) => ({ wait: event.wait }) } },
              {
                target: "waiting",
                actions: { type: "begin", params: ({ event }) => ({ wait: event.wait, ms: event.ms }) }
              }
            ]
          }
        },
        waiting: {
          initial: "reading",
          on: { wait: { actions: { type: "refuseWait", params: ({ event }) => ({ wait: event.wait }) } } },
          after: {
            deadline: [
              { guard: "isOver", ...rejectOver },
              { target: "idle", actions: { ...settle, params: { how: "expired" } } }
            ]
          },
          states: {
            reading: {
              entry: "readLine",
              exit: "stopReading",
              on: {
                line: [
                  {
                    guard: "isMatch",
                    target: "#raw-client.open.idle",
                    actions: { ...settle, params: { how: "match" } }
                  },
                  {
                    guard: "isFailed",
                    target: "#raw-client.open.idle",
                    actions: { ...settle, params: { how: "failed" } }
                  },
                  {
                    guard: and(["isResponse", "keepsResponses"]),
                    actions: [
                      { type: "skip", params: ({ event }) => ({ text: event.text }) },
                      { type: "keep", params: ({ event }) => ({ text: event.text }) },
                      "readLine"
                    ]
                  },
                  { actions: [{ type: "skip", params: ({ event }) => ({ text: event.text }) }, "readLine"] }
                ],
                "lines.over": { target: "ending", actions: "markOver" }
              }
            },
            // It has closed its output; why may stand on stderr.
            ending: {
              always: { guard: "hasLastWords", ...rejectOver },
              after: { lastWordsBound: { ...rejectOver, actions: ["markLastWords", rejectOver.actions] } }
            }
          }
        }
      }
    },
    closing: {
      entry: "rejectClosed",
      initial: "choosing",
      on: { close: [{ guard: "isKill", actions: "killProcess" }, {}] },
      states: {
        choosing: { always: [{ guard: "isEof", target: "eof" }, { target: "ending" }] },
        eof: {
          entry: "endInput",
          always: { guard: "hasLastWords", target: "ending" },
          after: { eofBound: "ending" }
        },
        ending: {
          entry: { type: "endProcess", params: ({ context }) => ({ mode: context.mode }) },
          on: { "process.left": "releasing", "process.stuck": "releasing" }
        },
        releasing: { entry: "release", on: { released: "#raw-client.closed" } }
      }
    },
    closed: { type: "final", entry: "tellClosed" }
  }
})
