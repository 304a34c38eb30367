import type { Outcome } from "../../src/explore/outcome.ts"
import type { Program } from "../../src/explore/program.ts"
import { makeSimKernel } from "../../src/kernel/sim-kernel.ts"

export interface Message {
  readonly type: string
  readonly who?: number
  readonly owner?: number | null
  readonly left?: number
}

/** Actors that send messages; what one sends to another arrives in order. */
export interface Actors {
  readonly first: ReadonlyArray<readonly [from: string, to: string, message: Message]>
  on(to: string, message: Message, send: (to: string, message: Message) => void): void
  /** What an actor reads and writes; by default nothing that others do. */
  touches?(to: string): ReadonlyArray<string>
  hasBug(): boolean
  /** All that the actors remember. */
  state(): string
}

const stepsMax = 2_000

interface ActorOptions {
  /** Whether a run goes on to its end when the bug has shown. */
  readonly runsOn?: boolean
  readonly tellsState?: boolean
}

/** The actors as a program; it fails as soon as they show their bug. */
export const actorProgram =
  (make: () => Actors, { runsOn = false, tellsState = false }: ActorOptions = {}): Program<Outcome> =>
  (choice, context) => {
    const actors = make()
    const kernel = makeSimKernel({ choice })
    const underWay: Array<string> = []
    const send = (from: string, to: string, message: Message): void => {
      const text = `${from}>${to} ${JSON.stringify(message)}`
      underWay.push(text)
      const touches = actors.touches?.(to) ?? [to]
      const op = { kind: "deliver", label: message.type, actor: to, channel: `${from}>${to}`, touches } as const
      kernel.plan(0, op, () => {
        underWay.splice(underWay.indexOf(text), 1)
        actors.on(to, message, (next, answer) => send(to, next, answer))
      })
    }
    if (tellsState) context.stateOf(() => `${actors.state()} ${underWay.toSorted().join()}`)
    for (const [from, to, message] of actors.first) send(from, to, message)
    while (kernel.stepCount() < stepsMax && kernel.step() !== null) {
      if (!runsOn && actors.hasBug()) break
    }
    const hash = kernel.hash()
    return actors.hasBug()
      ? { type: "failed", signature: "bug", message: "the bug showed", hash }
      : { type: "ok", hash }
  }

/** Pairs of actors that throw balls to and fro, `left` times, and mean nothing. */
const noise = (pairs: number, left: number): Actors => ({
  first: Array.from({ length: pairs }, (_, index) => [`n${index}`, `m${index}`, { type: "ball", left }] as const),
  on(to, { left = 0 }, send) {
    if (left > 0) send(`${to[0] === "m" ? "n" : "m"}${to.slice(1)}`, { type: "ball", left: left - 1 })
  },
  hasBug: () => false,
  state: () => ""
})

/** Actors beside noise. */
export const beside =
  (pairs: number, left: number, make: () => Actors): (() => Actors) =>
  () => {
    const balls = noise(pairs, left)
    const actors = make()
    return {
      ...actors,
      first: [...actors.first, ...balls.first],
      on: (to, message, send) => (message.type === "ball" ? balls : actors).on(to, message, send)
    }
  }

/** Clients claim one thing; the server reads and writes it in two steps, unless it is careful. */
export const claims =
  ({
    clients = 2,
    isCareful = false
  }: {
    readonly clients?: number
    readonly isCareful?: boolean
  } = {}): (() => Actors) =>
  () => {
    let owner: number | null = null
    let grants = 0
    return {
      first: Array.from({ length: clients }, (_, who) => [`c${who}`, "server", { type: "claim", who }] as const),
      on(_, { type, who = 0, owner: seen }, send) {
        if (type === "claim") send("store", { type: "read", who })
        if (type === "read") send("server", { type: "value", who, owner })
        if (type === "value" && seen === null) send("store", { type: "write", who })
        if (type === "write" && !(isCareful && owner !== null)) {
          owner = who
          grants++
        }
      },
      hasBug: () => grants > 1,
      state: () => `${owner} ${grants}`
    }
  }

const hop = (to: string): string => (to.endsWith("2") ? to.slice(0, -1) : `${to}2`)

/** A client retries when a timer of `ticks` hops is faster than the answer; the server's record of the first try is late. */
export const retries = (ticks: number) => (): Actors => {
  let executions = 0
  let isKnown = false
  let isAnswered = false
  let hasRetried = false
  return {
    first: [
      ["c", "s", { type: "request" }],
      ["clock", "clock2", { type: "tick", left: ticks }]
    ],
    on(to, { type, left = 0 }, send) {
      if (left > 0) send(hop(to), { type, left: left - 1 })
      else if (type === "tick") send("c", { type: "timeout" })
      else if (type === "record") isKnown = true
      else if (type === "response") send("c", { type: "answer" })
      else if (type === "answer") isAnswered = true
      else if (type === "timeout" && !isAnswered && !hasRetried) {
        hasRetried = true
        send("s", { type: "request" })
      } else if (type === "request") {
        if (!isKnown) {
          executions++
          send("log", { type: "record", left: 3 })
        }
        send("net", { type: "response", left: 3 })
      }
    },
    touches: (to) => [["log", "log2"].includes(to) ? "s" : to],
    hasBug: () => executions > 1,
    state: () => JSON.stringify([executions, isKnown, isAnswered, hasRetried])
  }
}

/** Breaks when three messages come in three narrow windows of a long pipeline. */
export const windows = (length: number) => (): Actors => {
  const open: Readonly<Record<string, readonly [stage: number, from: number, to: number]>> = {
    a: [0, 2, 5],
    b: [1, 8, 11],
    c: [2, 14, 16]
  }
  let at = 0
  let stage = 0
  return {
    first: [
      ["source", "p", { type: "advance", left: length }],
      ["x", "x2", { type: "a", left: 4 }],
      ["y", "y2", { type: "b", left: 8 }],
      ["z", "z2", { type: "c", left: 12 }]
    ],
    on(to, { type, left = 0 }, send) {
      if (type === "advance") at++
      if (left > 0) send(hop(to), { type, left: left - 1 })
      const [needed, from, until] = open[type] ?? [-1, 0, 0]
      if (left === 0 && stage === needed && at >= from && at <= until) stage++
    },
    touches: () => ["stage"],
    hasBug: () => stage === 3,
    state: () => `${at} ${stage}`
  }
}
