import { setup } from "xstate"

/** A line that goes out; `failed` is called when it cannot. */
export interface Outgoing {
  /** Without LF. */
  readonly text: string
  failed(error: Error): void
}

/** A line that came in, as `src/wire/acp` cuts it. */
export interface Incoming {
  readonly bytes: Uint8Array
  readonly text: string
  readonly isUtf8: boolean
}

/** What can happen to a wire. `overflow` is the length of a line that has become too long. */
export type StdioWireEvent =
  | { readonly type: "line"; readonly line: Incoming }
  | { readonly type: "overflow"; readonly length: number }
  | { readonly type: "stdout.ended" }
  | { readonly type: "read.failed"; readonly problem: string }
  | { readonly type: "send"; readonly outgoing: Outgoing }
  | { readonly type: "input.end" }
  | { readonly type: "write.failed" }

/**
 * The lines between us and an agent, both ways: from the first one to the end of its output.
 *
 * **Source** agent-harness.md, section 7.2
 */
export const stdioWireMachine = setup({
  types: {
    context: {} as Readonly<Record<never, never>>,
    events: {} as StdioWireEvent
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    attach: () => {},
    takeLine: (_, _params: { readonly line: Incoming }) => {},
    write: (_, _params: { readonly outgoing: Outgoing }) => {},
    refuseSend: (_, _params: { readonly outgoing: Outgoing }) => {},
    endInput: () => {},
    tellEnded: () => {},
    tellTooLong: (_, _params: { readonly length: number }) => {},
    tellUnread: (_, _params: { readonly problem: string }) => {}
  }
}).createMachine({
  id: "stdio-wire",
  context: () => ({}),
  initial: "open",
  states: {
    open: {
      entry: "attach",
      initial: "writable",
      on: {
        line: { actions: { type: "takeLine", params: ({ event }) => ({ line: event.line }) } },
        overflow: {
          target: "broken",
          actions: { type: "tellTooLong", params: ({ event }) => ({ length: event.length }) }
        },
        "stdout.ended": { target: "ended", actions: "tellEnded" },
        "read.failed": {
          target: "broken",
          actions: { type: "tellUnread", params: ({ event }) => ({ problem: event.problem }) }
        }
      },
      states: {
        writable: {
          on: {
            send: { actions: { type: "write", params: ({ event }) => ({ outgoing: event.outgoing }) } },
            "input.end": { target: "inputClosed", actions: "endInput" },
            "write.failed": "inputClosed"
          }
        },
        inputClosed: {
          on: {
            send: { actions: { type: "refuseSend", params: ({ event }) => ({ outgoing: event.outgoing }) } },
            "input.end": {},
            "write.failed": {}
          }
        }
      }
    },
    ended: { type: "final" },
    broken: { type: "final" }
  }
})
