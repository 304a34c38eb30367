import type { RequestClass } from "../../src/domain/classification.ts"
import type { AnswerSource } from "../../src/domain/trace-event.ts"
import type { BarrierPlace, QueueName, Script, Setup } from "./command.ts"
import type { KnownAnswer } from "./script.ts"
import type { Stage } from "./timeline.ts"

/**
 * The server as the reference model knows it: lists, tables and, for each copy, where it stands. Nothing of the product's
 * state machines is in it.
 *
 * **Source** inference-server.md, end of section 11
 *
 * @since 0.1.0
 * @category models
 */
export interface ModelState {
  readonly setup: Setup
  /** In the order of registration, in which pending ones are claimed. */
  readonly expectations: Array<ModelExpectation>
  readonly copies: Array<ModelCopy>
  readonly queues: Map<QueueName, Array<QueuedScript>>
  queuedCount: number
  turns: ReadonlyArray<string>
  fixedText: string | null
  stopReason: string
  delayMs: number | null
  requiresKey: boolean
  isHanging: boolean
  readonly gate: Array<GateChange>
  readonly log: ModelLog
  closing: { readonly killAt: number } | null
}

/** A script in a queue, encoded when it was queued. */
export interface QueuedScript {
  readonly label: string
  readonly script: Script
}

/** Every time that the gate really changed. */
export interface GateChange {
  readonly at: number
  readonly isHeld: boolean
}

export interface ModelLog {
  count: number
  isKeeping: boolean
  kept: ReadonlyArray<number>
}

export interface ModelExpectation {
  readonly number: number
  readonly name: string
  readonly matcher: RequestClass
  readonly barriers: ReadonlyArray<BarrierPlace>
  readonly answer: KnownAnswer
  /** When each barrier was opened, by its name. */
  readonly openedAt: Map<string, number>
  state: "pending" | "claimed" | "retired"
  fingerprint: string | null
  readonly copies: Array<ModelCopy>
}

/** One response in progress. */
export interface ModelCopy {
  readonly exchange: number
  readonly source: AnswerSource
  readonly expectation: ModelExpectation | null
  readonly isPrimary: boolean
  readonly isGated: boolean
  readonly answer: KnownAnswer
  readonly stages: ReadonlyArray<Stage>
  readonly windowBytes: number | null
  /** The stage that comes next, when it is due, and since what. */
  index: number
  due: number
  dueBy: "start" | "pause" | "release" | "gate" | "read"
  /** What it waits for without a time. */
  parked: "barrier" | "gate" | "reader" | null
  /** When a primary came to its first barrier; may lie ahead. */
  barredAt: number | null
  /** Certainly before a held gate, and woken there. */
  standsAtGate: boolean
  wokenAt: number | null
  settled: { readonly as: "crossed" | "cancelled"; readonly at: number } | null
  isOver: boolean
  /** It differed from what was seen; what follows from that is not told again. */
  isLost: boolean
  unread: number
  /** How many pieces of the body have been accounted for, and since when the stream is silent. */
  pieces: number
  silentSince: number
}

/** A fresh server. */
export const freshModel = (setup: Setup): ModelState => ({
  setup,
  expectations: [],
  copies: [],
  queues: new Map(),
  queuedCount: 0,
  turns: [],
  fixedText: null,
  stopReason: "end_turn",
  delayMs: null,
  requiresKey: setup.requiresKey,
  isHanging: false,
  gate: [],
  log: { count: 0, isKeeping: true, kept: [] },
  closing: null
})

/** Copies of a call that have not settled. */
export const activeCopies = ({ copies }: ModelExpectation): ReadonlyArray<ModelCopy> =>
  copies.filter((copy) => copy.settled === null)

/** Whether the name of an expectation is in use. */
export const isUnsettled = (expectation: ModelExpectation): boolean =>
  expectation.state === "pending" || (expectation.state === "claimed" && activeCopies(expectation).length > 0)

/** The expectation whose call is live under a fingerprint. */
export const liveCall = (model: ModelState, fingerprint: string | null): ModelExpectation | undefined =>
  fingerprint === null
    ? undefined
    : model.expectations.find(
        (expectation) => expectation.fingerprint === fingerprint && activeCopies(expectation).length > 0
      )
