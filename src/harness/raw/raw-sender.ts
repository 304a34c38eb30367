import { rawSenderMachine } from "../../../machines/raw-sender.machine.ts"
import { copiedBytes } from "../../domain/copied-bytes.ts"
import { makeFifo } from "../../domain/fifo.ts"
import { FrameTooLarge } from "../../domain/harness-errors.ts"
import { unsentBytesMax } from "../../domain/raw-limits.ts"
import { compileChart } from "../../supervisor/chart.ts"
import { type Actor, actorKind, type Supervisor } from "../../supervisor/supervisor.ts"
import type { OwnedProcess } from "../process/owned-process.ts"

/**
 * Sends bytes to an agent, one thing after the other.
 *
 * **Source** agent-harness.md, section 3.2
 */
export interface RawSender {
  /**
   * Sends chunks, each when the one before has left and `gapMs` have passed; no chunk at all is the end of the input.
   *
   * **Fails** with `AgentInputClosed`, `FrameTooLarge`, or what the sender was aborted with
   */
  send(chunks: ReadonlyArray<Uint8Array>, gapMs?: number): Promise<void>
  /** Sends nothing more; what waits fails. */
  abort(error: Error): void
}

interface Job {
  readonly chunks: ReadonlyArray<Uint8Array>
  readonly gapMs: number
  readonly bytes: number
  next: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

interface SenderData {
  readonly process: Pick<OwnedProcess, "label" | "write" | "endInput">
  readonly supervisor: Supervisor
  readonly jobs: ReturnType<typeof makeFifo<Job>>
  unsentBytes: number
  /** Why the write failed that was under way, or why nothing is sent any more. */
  failure: unknown
}

type SenderActor = Actor<typeof rawSenderMachine, SenderData>

const kind = actorKind<typeof rawSenderMachine, SenderData>(compileChart(rawSenderMachine), {
  writeChunk: (_, sender) => writeChunk(sender),
  tellSent: (_, { data }) => taken(data)?.resolve(),
  tellFailed: (_, { data }) => taken(data)?.reject(data.failure),
  dropAll(_, { data }) {
    for (let job = taken(data); job !== undefined; job = taken(data)) job.reject(data.failure)
  }
})

const taken = (data: SenderData): Job | undefined => {
  const job = data.jobs.shift()
  data.unsentBytes -= job?.bytes ?? 0
  return job
}

const writeChunk = (sender: SenderActor): void => {
  const { process, supervisor, jobs } = sender.data
  const job = jobs.peek()
  if (job === undefined) throw new Error("a sender that writes has something to write")
  const chunk = job.chunks[job.next++]
  const isLast = job.next >= job.chunks.length
  const left = (): void => {
    if (sender.snapshot.status === "active")
      supervisor.deliver(sender, { type: "chunk.left", isLast, gapMs: job.gapMs })
  }
  if (chunk === undefined) {
    process.endInput()
    left()
    return
  }
  process.write(chunk).then(left, (error) => {
    if (sender.snapshot.status !== "active") return
    sender.data.failure = error
    supervisor.deliver(sender, { type: "write.failed" })
  })
}

/** @since 0.1.0 @category constructors */
export const makeRawSender = (
  supervisor: Supervisor,
  process: Pick<OwnedProcess, "label" | "write" | "endInput">
): RawSender => {
  const data: SenderData = { process, supervisor, jobs: makeFifo<Job>(), unsentBytes: 0, failure: null }
  const sender: SenderActor = supervisor.spawn(kind, undefined, data)
  return {
    send(chunks, gapMs = 0) {
      const sent = new Promise<void>((resolve, reject) => {
        if (sender.snapshot.status !== "active") return reject(data.failure)
        const bytes = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
        const length = data.unsentBytes + bytes
        const limit = unsentBytesMax
        if (length > limit)
          return reject(new FrameTooLarge(`what ${process.label} was not sent yet`, { limit, length }))
        data.unsentBytes = length
        // The caller may use its memory again.
        data.jobs.push({ chunks: chunks.map((chunk) => copiedBytes(chunk)), gapMs, bytes, next: 0, resolve, reject })
        supervisor.deliver(sender, { type: "send" })
      })
      // The same as for writes to a process: what nobody looks at is no crash.
      sent.catch(() => {})
      return sent
    },
    abort(error) {
      if (sender.snapshot.status !== "active") return
      data.failure = error
      supervisor.deliver(sender, { type: "abort" })
    }
  }
}
