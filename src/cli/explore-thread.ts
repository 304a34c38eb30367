import { isMainThread, Worker, workerData } from "node:worker_threads"
import type { OpenSimWorker, ShareProgress, SimWorker } from "../campaign/sim-worker.ts"
import { isRecord } from "../domain/json.ts"

/** What a thread is started with. */
export interface ThreadSeat {
  readonly understudyThread: true
  readonly module: string
  readonly memory: SharedArrayBuffer
  readonly index: number
}

/** What is asked of a thread. */
export interface ThreadAsk {
  readonly id: number
  readonly method: "programs" | "explore" | "replay" | "shrink"
  readonly job: unknown
}

/** What a thread answers: how far it is, and in the end a value or what was wrong. */
export type ThreadAnswer =
  | { readonly id: number; readonly progress: ShareProgress }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly problem: { readonly tag: string; readonly message: string } }

/**
 * What a thread could not do: its error, with the tag that it had there. `ThreadLost` is a thread that ended before it was done.
 *
 * @since 0.1.0
 * @category errors
 */
export class ThreadFailed extends Error {
  readonly _tag: string
  constructor(tag: string, message: string) {
    super(message)
    this.name = tag
    this._tag = tag
  }
}

interface Waiting {
  readonly settle: (value: unknown) => void
  readonly fail: (error: ThreadFailed) => void
  readonly onProgress: (progress: ShareProgress) => void
}

/**
 * Starts a worker in a thread of its own, so that a program which never lets go can be ended, and what it does to globals stays
 * there.
 *
 * @since 0.1.0
 * @category constructors
 */
export const openThread: OpenSimWorker = ({ module, memory, index, onText }) => {
  const seat: ThreadSeat = { understudyThread: true, module, memory, index }
  // This file, or the bundle that it became, is also what the thread runs.
  const thread = new Worker(new URL(import.meta.url), { workerData: seat, stdout: true, stderr: true })
  for (const stream of [thread.stdout, thread.stderr]) {
    stream.setEncoding("utf8")
    stream.on("data", onText)
  }
  const waiting = new Map<number, Waiting>()
  let lost: ThreadFailed | null = null
  let ids = 0
  const lose = (message: string): void => {
    lost ??= new ThreadFailed("ThreadLost", message)
    for (const one of waiting.values()) one.fail(lost)
    waiting.clear()
  }
  thread.on("error", (error: unknown) =>
    lose(`the thread of the program broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  )
  thread.on("exit", (code) =>
    lose(`the thread of the program ended with code ${code}: the module or a program of it may call process.exit`)
  )
  thread.on("message", (answer: ThreadAnswer) => {
    const one = waiting.get(answer.id)
    if (one === undefined) return
    if ("progress" in answer) {
      one.onProgress(answer.progress)
      return
    }
    waiting.delete(answer.id)
    if ("value" in answer) one.settle(answer.value)
    else one.fail(new ThreadFailed(answer.problem.tag, answer.problem.message))
  })
  const ask = (
    method: ThreadAsk["method"],
    job: unknown,
    onProgress: Waiting["onProgress"] = () => {}
  ): Promise<unknown> =>
    new Promise((settle, fail) => {
      if (lost !== null) {
        fail(lost)
        return
      }
      const id = ids++
      waiting.set(id, { settle, fail, onProgress })
      const message: ThreadAsk = { id, method, job }
      thread.postMessage(message)
    })
  // The other side of a thread is this program too: answers are what the methods give.
  const worker = {
    programs: () => ask("programs", null),
    explore: (job: unknown, onProgress: Waiting["onProgress"]) => ask("explore", job, onProgress),
    replay: (job: unknown) => ask("replay", job),
    shrink: (job: unknown) => ask("shrink", job),
    async close() {
      await thread.terminate()
    }
  }
  return worker as SimWorker
}

const isSeat = (data: unknown): data is ThreadSeat => isRecord(data) && data["understudyThread"] === true

if (!isMainThread && isSeat(workerData)) {
  const { workInThread } = await import("./explore-thread-work.ts")
  workInThread(workerData)
}
