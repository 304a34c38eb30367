import { isMainThread, Worker, workerData } from "node:worker_threads"
import { InvalidOption } from "../domain/errors.ts"
import { isRecord } from "../domain/json.ts"
import type { OpenSimWorker, ShareProgress, SimWorker } from "./sim-worker.ts"
import { errorOf, ThreadLost, type ThreadProblem } from "./thread-errors.ts"

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
  | { readonly id: number; readonly problem: ThreadProblem }

interface Waiting {
  readonly settle: (value: unknown) => void
  readonly fail: (error: Error) => void
  readonly onProgress: (progress: ShareProgress) => void
}

/**
 * Starts a worker in a thread of its own, so that a program which never lets go can be ended, and what it does to globals stays
 * there.
 *
 * @since 0.1.0
 * @category constructors
 */
export const openThread: OpenSimWorker = ({ module, memory, index, onText, execArgv }) => {
  const seat: ThreadSeat = { understudyThread: true, module, memory, index }
  const thread = startThread(seat, execArgv)
  for (const stream of [thread.stdout, thread.stderr]) {
    stream.setEncoding("utf8")
    stream.on("data", onText)
  }
  const waiting = new Map<number, Waiting>()
  let lost: ThreadLost | null = null
  let ids = 0
  const lose = (message: string): void => {
    lost ??= new ThreadLost(message)
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
    else one.fail(errorOf(answer.problem))
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

const startThread = (seat: ThreadSeat, asked: ReadonlyArray<string> | undefined): Worker => {
  // A thread that heard how to read a program of the command line would refuse its own file.
  const execArgv = asked ?? (process.execArgv.some((one) => one.startsWith("--input-type")) ? [] : undefined)
  const options = execArgv === undefined ? {} : { execArgv: [...execArgv] }
  try {
    // This file, or the bundle that it became, is also what the thread runs.
    return new Worker(new URL(import.meta.url), { workerData: seat, stdout: true, stderr: true, ...options })
  } catch (error) {
    if (!(isRecord(error) && error["code"] === "ERR_WORKER_INVALID_EXEC_ARGV")) throw error
    throw new InvalidOption(`execArgv: ${error["message"]}; give options that Node takes for a thread`)
  }
}

const isSeat = (data: unknown): data is ThreadSeat => isRecord(data) && data["understudyThread"] === true

if (!isMainThread && isSeat(workerData)) {
  const { workInThread } = await import("./sim-thread-work.ts")
  workInThread(workerData)
}
