import type { Writable } from "node:stream"
import { parentPort } from "node:worker_threads"
import { Effect } from "effect"
import { liveClock } from "../live/clock.ts"
import type { ThreadAnswer, ThreadAsk, ThreadSeat } from "./sim-thread.ts"
import type { ShareJob, ShareProgress, ShrinkJob } from "./sim-worker.ts"
import { problemOf } from "./thread-errors.ts"
import { workHere } from "./working-here.ts"

/**
 * What a thread does: it answers what it is asked, in order, until it is ended.
 *
 * @since 0.1.0
 * @category running
 */
export const workInThread = ({ module, memory, index }: ThreadSeat): void => {
  const worker = workHere({ module, memory, index, runSync: Effect.runSync, now: liveClock.now })
  const post = (answer: ThreadAnswer): void => parentPort?.postMessage(answer)
  const carryOut = async ({ id, method, job }: ThreadAsk): Promise<unknown> => {
    switch (method) {
      case "programs":
        return worker.programs()
      case "explore":
        return worker.explore(job as ShareJob, (progress: ShareProgress) => post({ id, progress }))
      case "replay":
        return worker.replay(job as Parameters<typeof worker.replay>[0])
      case "shrink":
        return worker.shrink(job as ShrinkJob)
    }
  }
  parentPort?.on("message", (ask: ThreadAsk) => {
    carryOut(ask)
      .then(
        (value): ThreadAnswer => ({ id: ask.id, value }),
        (error: unknown): ThreadAnswer => ({ id: ask.id, problem: problemOf(error) })
      )
      .then(async (answer) => {
        // What was printed comes before the answer.
        await Promise.all([written(process.stdout), written(process.stderr)])
        post(answer)
      })
  })
}

const written = (stream: Writable): Promise<void> => new Promise((done) => void stream.write("", () => done()))
