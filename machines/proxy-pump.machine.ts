import { assign, setup } from "xstate"
import { severFlushMs } from "../src/domain/proxy-limits.ts"

/** Whether a direction is read and forwarded, left unread, or read and thrown away. */
export type PumpFlow = "open" | "stopped" | "silent"

/** What happens behind a frame when it has gone; `null` for nothing. */
export type FrameEnding = "stall" | "halfClose" | "vanish" | "reset" | null

/**
 * What can happen to a pump. The events that begin with `took` answer `take` and `takeTail`; `piece.gone`, `piece.stuck` and
 * `piece.due` answer `write`: a piece has left, has to wait for the receiver, or may not be written for some time. `released` says that
 * no barrier is closed before the frame.
 */
export type ProxyPumpEvent =
  | { readonly type: "chunk" }
  /** As much has come behind a frame that waits as may be kept. */
  | { readonly type: "full" }
  | { readonly type: "source.ended" }
  | { readonly type: "flow.changed"; readonly flow: PumpFlow }
  /** `isWaiting`: there is more behind it when the other direction has been read on. */
  | { readonly type: "took.nothing"; readonly isWaiting: boolean }
  | { readonly type: "took.dropped" }
  | { readonly type: "took.run" }
  | {
      readonly type: "took.frame"
      readonly isHeld: boolean
      readonly delayMs: number
      readonly ending: FrameEnding
    }
  | { readonly type: "took.cut" }
  | { readonly type: "took.tail" }
  | { readonly type: "took.failure" }
  | { readonly type: "released" }
  | { readonly type: "piece.gone"; readonly isLast: boolean }
  | { readonly type: "piece.stuck" }
  | { readonly type: "piece.due"; readonly ms: number }
  | { readonly type: "write.failed" }
  | { readonly type: "sever" }

/**
 * One direction of a connection: reads frames, decides what becomes of each, and writes what is left of them, one behind the other. The
 * next is not taken before the last has left, so that a receiver that does not read stops the sender. A run is any number of frames
 * that no rule is about.
 *
 * **Source** agent-harness.md, section 7.5
 */
export const proxyPumpMachine = setup({
  types: {
    context: {} as {
      readonly flow: PumpFlow
      readonly hasEnded: boolean
      readonly delayMs: number
      readonly dueMs: number
      readonly ending: FrameEnding
    },
    input: {} as { readonly flow: PumpFlow } | undefined,
    events: {} as ProxyPumpEvent
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    resumeSource: () => {},
    pauseSource: () => {},
    take: () => {},
    takeTail: () => {},
    tellHeld: () => {},
    write: () => {},
    endDestination: () => {},
    stallFlow: () => {},
    vanish: () => {},
    throwAway: () => {},
    tellReset: () => {},
    tellSevered: () => {},
    tellFrameError: () => {},
    tellPeerError: () => {},
    tellEnded: () => {},
    discard: () => {},
    noteFlow: assign((_, { flow }: { readonly flow: PumpFlow }) => ({ flow })),
    noteEnd: assign({ hasEnded: true }),
    noteRun: assign({ delayMs: 0, ending: null }),
    noteFrame: assign((_, { delayMs, ending }: { readonly delayMs: number; readonly ending: FrameEnding }) => ({
      delayMs,
      ending
    })),
    noteDue: assign((_, { ms }: { readonly ms: number }) => ({ dueMs: ms }))
  },
  guards: {
    isStopped: ({ context }) => context.flow === "stopped",
    isSilent: ({ context }) => context.flow === "silent",
    turnsSilent: ({ event }) => event.type === "flow.changed" && event.flow === "silent",
    hasEnded: ({ context }) => context.hasEnded,
    isWaiting: ({ event }) => event.type === "took.nothing" && event.isWaiting,
    isAtEnd: ({ context, event }) => context.hasEnded && event.type === "took.nothing" && !event.isWaiting,
    isHeld: ({ event }) => event.type === "took.frame" && event.isHeld,
    isDelayed: ({ event }) => event.type === "took.frame" && event.delayMs > 0,
    hasDelay: ({ context }) => context.delayMs > 0,
    isLast: ({ event }) => event.type === "piece.gone" && event.isLast,
    stalls: ({ context }) => context.ending === "stall",
    halfCloses: ({ context }) => context.ending === "halfClose",
    vanishes: ({ context }) => context.ending === "vanish",
    resets: ({ context }) => context.ending === "reset"
  },
  delays: {
    frameDelay: ({ context }) => context.delayMs,
    pieceDue: ({ context }) => context.dueMs,
    flushBound: severFlushMs
  }
}).createMachine({
  id: "proxy-pump",
  context: ({ input }) => ({ flow: input?.flow ?? "open", hasEnded: false, delayMs: 0, dueMs: 0, ending: null }),
  initial: "pumping",
  states: {
    pumping: {
      initial: "choosing",
      on: {
        sever: { target: "gone", actions: "discard" },
        full: { actions: "pauseSource" },
        "source.ended": { actions: "noteEnd" },
        "flow.changed": { actions: flowNoted() }
      },
      states: {
        choosing: {
          always: [
            { guard: "isSilent", target: "silenced" },
            { guard: "isStopped", target: "stalled" },
            { target: "taking" }
          ]
        },
        taking: {
          entry: "take",
          on: {
            "took.nothing": [
              { guard: "isAtEnd", target: "finishing" },
              { guard: "isWaiting", target: "awaiting" },
              { target: "reading" }
            ],
            "took.dropped": "choosing",
            "took.run": { target: "placing", actions: "noteRun" },
            "took.frame": [
              { guard: "isHeld", target: "holding", actions: [frameNoted(), "pauseSource"] },
              { guard: "isDelayed", target: "delaying", actions: frameNoted() },
              { target: "placing", actions: frameNoted() }
            ],
            "took.cut": "severing",
            "took.failure": { target: "#proxy-pump.failed", actions: ["discard", "tellFrameError"] }
          }
        },
        reading: {
          entry: "resumeSource",
          on: {
            chunk: "taking",
            "source.ended": { target: "taking", actions: "noteEnd" },
            "flow.changed": { target: "choosing", actions: flowNoted() }
          }
        },
        // What comes now would only be kept.
        awaiting: {
          entry: "pauseSource",
          on: {
            chunk: "taking",
            "source.ended": { target: "taking", actions: "noteEnd" },
            "flow.changed": { target: "choosing", actions: flowNoted() }
          }
        },
        stalled: {
          entry: "pauseSource",
          on: {
            "flow.changed": { target: "choosing", actions: flowNoted() }
          }
        },
        holding: {
          entry: "tellHeld",
          on: {
            released: [{ guard: "hasDelay", target: "delaying" }, { target: "placing" }],
            "flow.changed": [lostInSilence(), { actions: flowNoted() }]
          }
        },
        // What comes meanwhile is read, as its own delay counts from then.
        delaying: {
          on: {
            "flow.changed": [lostInSilence(), { actions: [flowNoted(), "pauseSource"] }]
          },
          after: { frameDelay: "placing" }
        },
        // A frame that waits may meet a partition that came in the meantime.
        placing: {
          always: [
            { guard: "isSilent", target: "silenced" },
            { guard: "isStopped", target: "stopped" },
            { target: "writing" }
          ]
        },
        stopped: {
          entry: "pauseSource",
          on: {
            "flow.changed": { target: "placing", actions: flowNoted() }
          }
        },
        writing: {
          entry: "write",
          on: {
            "piece.gone": [{ guard: "isLast", target: "behind" }, { target: "placing" }],
            "piece.stuck": { actions: "pauseSource" },
            "piece.due": {
              target: "pacing",
              actions: [{ type: "noteDue", params: ({ event }) => ({ ms: event.ms }) }, "pauseSource"]
            },
            "write.failed": [
              { guard: "isSilent", target: "silenced" },
              { target: "#proxy-pump.failed", actions: ["discard", "tellPeerError"] }
            ]
          }
        },
        pacing: {
          on: { "flow.changed": [lostInSilence(), { actions: flowNoted() }] },
          after: { pieceDue: "placing" }
        },
        behind: {
          always: [
            {
              guard: "stalls",
              target: "choosing",
              actions: ["stallFlow", { type: "noteFlow", params: { flow: "stopped" } }]
            },
            { guard: "halfCloses", target: "closingHalf" },
            { guard: "vanishes", target: "silenced", actions: "vanish" },
            { guard: "resets", target: "#proxy-pump.gone", actions: ["discard", "tellReset"] },
            { target: "choosing" }
          ]
        },
        closingHalf: {
          entry: ["discard", "endDestination", "throwAway", "resumeSource"],
          always: { guard: "hasEnded", target: "#proxy-pump.ended" },
          on: { "source.ended": "#proxy-pump.ended" }
        },
        silenced: { entry: ["discard", "throwAway", "resumeSource"] },
        severing: {
          entry: ["pauseSource", "write"],
          on: {
            "piece.gone": { target: "#proxy-pump.gone", actions: ["discard", "tellSevered"] },
            "write.failed": { target: "#proxy-pump.gone", actions: ["discard", "tellSevered"] }
          },
          after: { flushBound: { target: "#proxy-pump.gone", actions: ["discard", "tellSevered"] } }
        },
        finishing: {
          entry: "takeTail",
          on: { "took.tail": "tailing", "took.nothing": "ending" }
        },
        tailing: {
          entry: "write",
          on: {
            "piece.gone": "ending",
            "write.failed": { target: "#proxy-pump.failed", actions: ["discard", "tellPeerError"] }
          }
        },
        ending: { entry: "endDestination", always: "#proxy-pump.ended" }
      }
    },
    ended: { type: "final", entry: "tellEnded" },
    gone: { type: "final" },
    failed: { type: "final" }
  }
})

/** What is decided of a frame, kept for the states that it goes through. */
function frameNoted() {
  return {
    type: "noteFrame",
    params: ({ event }: { readonly event: Extract<ProxyPumpEvent, { readonly type: "took.frame" }> }) => ({
      delayMs: event.delayMs,
      ending: event.ending
    })
  } as const
}

/** How the flow has changed, kept until a frame is written or taken. */
function flowNoted() {
  return {
    type: "noteFlow",
    params: ({ event }: { readonly event: Extract<ProxyPumpEvent, { readonly type: "flow.changed" }> }) => ({
      flow: event.flow
    })
  } as const
}

/** A frame that waits is not waited for in a direction through which nothing goes any more. */
function lostInSilence() {
  return { guard: "turnsSilent", target: "silenced", actions: flowNoted() } as const
}
