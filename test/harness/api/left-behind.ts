import { createHook } from "node:async_hooks"
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { type Harness, setVariable } from "../../../src/harness.ts"
import { markedProcesses } from "../../../src/live/proc-files.ts"
import { resourceSnapshot } from "../../../src/live/resource-snapshot.ts"

const events = [
  "exit",
  "SIGINT",
  "SIGTERM",
  "SIGHUP",
  "uncaughtException",
  "unhandledRejection",
  "beforeExit",
  "warning"
]

/** What of this process and machine could be left of a harness. */
export interface LeftBehind {
  /** Processes that carry the mark of a run. */
  readonly processes: ReadonlyArray<number>
  readonly folders: ReadonlyArray<string>
  readonly openFiles: number
  /** Sockets, pipes and processes that Node holds, by kind. */
  readonly resources: Readonly<Record<string, number>>
  /** Where timers were made that are still there: those of our own files. */
  readonly timers: ReadonlyArray<string>
  readonly listeners: Readonly<Record<string, number>>
}

/** Sandboxes of one test are made in a folder of its own. */
export const watchLeftovers = () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "us-left-")))
  const guard = setVariable("TMPDIR", folder)
  onTestFinished(() => {
    guard[Symbol.dispose]()
    rmSync(folder, { recursive: true, force: true })
  })
  const timers = watchTimers()
  return async (harness: Pick<Harness, "runId"> | null): Promise<LeftBehind> => ({
    timers: await timers(),
    processes: harness === null ? [] : markedProcesses({ runId: harness.runId, spawnId: null }).map(({ pid }) => pid),
    folders: readdirSync(folder),
    openFiles: resourceSnapshot().openFiles ?? 0,
    resources: counted(process.getActiveResourcesInfo().filter((kind) => !ofTheRunner.has(kind))),
    listeners: Object.fromEntries(events.map((event) => [event, process.listenerCount(event)]))
  })
}

/** The timers that our files make, by the line that makes them. */
const watchTimers = () => {
  const open = new Map<number, string>()
  const hook = createHook({
    init(id, type) {
      if (type !== "Timeout") return
      const line = (new Error().stack ?? "").split("\n").find((text) => text.includes("/src/"))
      if (line !== undefined) open.set(id, line.trim())
    },
    destroy: (id) => void open.delete(id)
  }).enable()
  onTestFinished(() => void hook.disable())
  return async (): Promise<ReadonlyArray<string>> => {
    // Node tells of the end of timers a turn later.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => void setImmediate(resolve))
    return [...open.values()]
  }
}

/** What a test runner does in the meantime. */
const ofTheRunner = new Set([
  "Timeout",
  "Immediate",
  "MessagePort",
  "FSReqPromise",
  "FSReqCallback",
  "CloseReq",
  "FILEHANDLE"
])

const counted = (kinds: ReadonlyArray<string>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
