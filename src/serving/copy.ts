import { copyMachine } from "../../machines/copy.machine.ts"
import type { Outcome, Settlement } from "../domain/outcome.ts"
import type { BarrierOwner, Plan, WireStep } from "../domain/plan.ts"
import type { Sink } from "../kernel/sink.ts"
import { compileChart } from "../supervisor/chart.ts"
import { type Actor, actorKind, type Supervisor } from "../supervisor/supervisor.ts"
import { keepAliveFrame } from "../wire/sse-frame.ts"

/**
 * Who is told how a copy fares: its expectation, its log entry.
 *
 * @since 0.1.0
 * @category copies
 */
export interface CopyWatcher {
  /** What the response answers, for people: `POST /v1/responses`. */
  readonly what: string
  /** The copy waits; deliver `barrier.opened` to it when it may go on, at once or later. */
  waits(copy: Copy, barrier: string, owner: BarrierOwner): void
  /** A piece was handed to the transport; comments and heartbeats are not reported. */
  served(bytes: string | Uint8Array, events: number): void
  headSent(status: number): void
  settled(as: Settlement, copy: Copy): void
  ended(outcome: Outcome): void
  /** Where it matters: who ended the silence of a stalled answer. */
  released?(by: "client" | "server"): void
  /** Where it matters: whether all of the answer has left to the transport; told once, after the end. */
  delivered?(isDelivered: boolean): void
}

/** For answers that are neither logged nor held: refusals, storage. */
export const unwatched: CopyWatcher = {
  what: "a request that is not logged",
  waits: () => {},
  headSent: () => {},
  served: () => {},
  settled: () => {},
  ended: () => {}
}

/** What a copy works with. */
export interface CopyData {
  readonly supervisor: Supervisor
  readonly sink: Sink
  readonly watcher: CopyWatcher
  /** Called once, when nothing more will be sent. */
  readonly over: () => void
}

/** One response in progress. */
export type Copy = Actor<typeof copyMachine, CopyData>

const kind = actorKind<typeof copyMachine, CopyData>(compileChart(copyMachine), {
  sendHead({ step }, copy) {
    if (step?.kind !== "head") return
    const { sink, watcher } = copy.data
    const isSent = handOver(copy, () =>
      step.chunkPerWrite === true
        ? sink.head(step.status, step.headers, { chunkPerWrite: true })
        : sink.head(step.status, step.headers)
    )
    if (isSent) watcher.headSent(step.status)
  },
  write({ step }, copy) {
    if (step?.kind !== "write") return
    const { supervisor, sink, watcher } = copy.data
    let hasRoom = false
    const isSent = handOver(copy, () => {
      hasRoom = step.isUnframed === true ? sink.writeUnframed(step.bytes) : sink.write(step.bytes, step.chunkEnds)
    })
    if (isSent) watcher.served(step.bytes, step.events)
    if (hasRoom) supervisor.deliver(copy, { type: "socket.written" })
  },
  flush: (_, copy) => {
    handOver(copy, () => copy.data.sink.flush())
  },
  comment(_, copy) {
    const { sink } = copy.data
    handOver(copy, () => {
      sink.write(keepAliveFrame)
      sink.flush()
    })
  },
  beat({ bytes }, copy) {
    const { supervisor, sink } = copy.data
    let hasRoom = false
    handOver(copy, () => {
      hasRoom = sink.write(bytes)
      sink.flush()
    })
    if (hasRoom) supervisor.deliver(copy, { type: "socket.written" })
  },
  askBarrier({ step }, copy) {
    if (step?.kind === "barrier") copy.data.watcher.waits(copy, step.name, step.owner)
  },
  settle: ({ as }, copy) => copy.data.watcher.settled(as, copy),
  finish: ({ how }, copy) => {
    const { sink, supervisor, watcher } = copy.data
    const isEnd = copy.snapshot.state === "ended" && watcher.delivered !== undefined
    const report = (isDelivered: boolean): void => supervisor.run(() => watcher.delivered?.(isDelivered))
    handOver(copy, () => (isEnd ? sink.finish(how, report) : sink.finish(how)))
  },
  conclude({ outcome }, { data: { watcher } }) {
    watcher.ended(outcome)
    if (outcome === "client_closed" || outcome === "server_error") watcher.delivered?.(false)
  },
  hush: ({ how }, copy) => {
    if (how === "vanish") handOver(copy, () => copy.data.sink.finish(how))
  },
  letGo: ({ by }, { data: { watcher } }) => watcher.released?.(by),
  leave: (_, { data }) => data.over()
})

/** What the transport refuses ends this response, and no other. */
const handOver = (copy: Copy, give: () => void): boolean => {
  try {
    give()
    return true
  } catch {
    copy.data.supervisor.deliver(copy, { type: "transport.failed" })
    return false
  }
}

/** Starts a copy of `plan` on `sink`. One that `isQueued` waits for `turn.begun`. */
export const startCopy = (plan: Plan, data: CopyData, isQueued = false): Copy =>
  data.supervisor.spawn(kind, { plan, isQueued }, data)

/** The step a copy would take next; `undefined` at its ending. */
export const nextStep = (copy: Copy): WireStep | undefined =>
  copy.snapshot.context.plan.steps[copy.snapshot.context.index]

/** What was said to a copy in progress (`plan.extended`) and waits for its reader. */
export const unsent = ({ snapshot: { context } }: Copy): { readonly steps: number; readonly bytes: number } => ({
  steps: context.plan.steps.length - context.index + (context.said?.steps ?? 0),
  bytes: (context.bytesAhead[context.index] ?? 0) + (context.said?.bytes ?? 0)
})
