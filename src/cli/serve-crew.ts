import cluster, { type Worker } from "node:cluster"
import { isLoopback } from "../ports/stream-port.ts"
import { type CommandIo, RunFailed } from "./command-io.ts"
import { type CrewMessage, type CrewOrder, isCrewMessage } from "./crew-messages.ts"
import { readLines } from "./read-lines.ts"
import type { Report } from "./report.ts"
import type { ScenarioSession } from "./scenario-session.ts"
import { type Leftovers, leftoverText, refusalLine } from "./serve-leftovers.ts"
import type { ServeOptions } from "./serve-options.ts"
import type { StopWish } from "./stop-signals.ts"
import type { TraceFile } from "./trace-file.ts"

/** What the first of several processes works with. */
export interface CrewRun {
  readonly options: ServeOptions
  readonly io: CommandIo
  readonly stop: StopWish
  readonly report: Report
  readonly scenario: ScenarioSession
  readonly trace: TraceFile | null
  readonly closers: Array<() => void>
}

/**
 * Refuses what several processes cannot answer together: an expectation is claimed by exactly one request, whoever it comes to.
 *
 * **Fails** with `RunFailed`
 *
 * @since 0.1.0
 * @category guards
 */
export const refuseTaken = (scenario: ScenarioSession): void => {
  const { expectations, queued, turns } = scenario.script()
  const taken = [
    ...(expectations.length > 0 ? ["expectations"] : []),
    ...(queued.length > 0 ? ["queues"] : []),
    ...(turns.length > 0 ? ["turns"] : [])
  ]
  if (taken.length === 0) return
  const advice = "leave --workers out, or the scenario with echo, a fixed text and faults by header alone"
  throw new RunFailed(`the scenario has ${taken.join(", ")}, each of which is taken once, by one process; ${advice}`)
}

/**
 * Lets so many processes serve one port, and does nothing else itself. One that ends by itself is replaced, once it had begun.
 *
 * **Fails** with `RunFailed` when they cannot begin
 *
 * @since 0.1.0
 * @category running
 */
export const serveCrew = async (run: CrewRun): Promise<void> => {
  const { options, io, stop, report, closers } = run
  if (stop.isWished()) return
  if (io.program === undefined) throw new Error("the file of the command is not known")
  const { program } = io
  const args = process.argv.slice(2)
  cluster.setupPrimary({ exec: program, args })
  /** Those that run, and whether they serve: who does not hears nothing yet. */
  const crew = new Map<Worker, boolean>()
  const left: Array<Leftovers> = []
  const blocked: Array<string> = []
  let over = (): void => {}
  const allOver = new Promise<void>((resolve) => {
    over = resolve
  })
  const begun = new Promise<{ readonly url: string; readonly origin: string }>((resolve, reject) => {
    let ready = 0
    const add = (): void => {
      const mate = cluster.fork()
      crew.set(mate, false)
      mate.on("message", (message: unknown) => {
        if (!isCrewMessage(message)) return
        if (message.type === "ready") {
          crew.set(mate, true)
          // Who takes the place of another must not take another port: of repeated options the last one counts.
          cluster.setupPrimary({ exec: program, args: [...args, "--port", new URL(message.origin).port] })
          if (++ready === options.workers) resolve(message)
        } else if (message.type === "failed") reject(new RunFailed(message.message, message.details))
        else if (message.type === "closed") {
          blocked.push(...message.blocked)
          if (message.leftovers !== null) left.push(message.leftovers)
        } else tellOf(message, mate.id, run)
      })
      mate.once("exit", (code, signal) => {
        const hasBegun = crew.get(mate) === true
        crew.delete(mate)
        if (stop.isWished()) {
          if (crew.size === 0) over()
          return
        }
        const how = `process ${mate.process.pid} has ended with ${signal ?? code}`
        if (!hasBegun) {
          reject(new RunFailed(`${how} before it served`))
          return
        }
        report.human(`${how}; another takes its place`)
        add()
      })
    }
    for (let place = 0; place < (options.workers ?? 1); place++) add()
  })
  const letGo = async (): Promise<void> => {
    stop.wish()
    for (const [mate, hasBegun] of crew) {
      if (hasBegun && mate.isConnected()) mate.send({ type: "stop" } satisfies CrewOrder)
      else mate.process.kill("SIGKILL")
    }
    if (crew.size > 0) await allOver
  }
  try {
    announce(await Promise.race([begun, stop.wished.then(() => null)]), run)
    closers.push(await heedQuit(run))
    await stop.wished
  } finally {
    await letGo()
    report.closing()
    if (blocked.length > 0) report.human(`cut ${blocked.length} unfinished responses:`, blocked)
    tellLeft(left, report)
  }
}

const announce = (
  first: { readonly url: string; readonly origin: string } | null,
  { options, report, scenario }: CrewRun
): void => {
  if (first === null) return
  const { url, origin } = first
  const { profile, token } = scenario.script()
  const { workers, host } = options
  report.ready({ type: "ready", url, origin, profile, pid: process.pid, workers })
  const key = token === null ? "no key" : "a key"
  const script = options.scenario ?? "echo"
  report.human(
    `serving ${script} at ${origin} by ${workers} processes (profile ${profile}, ${key} required); Ctrl-C stops`
  )
  if (!isLoopback(host)) report.human(`${host} is no loopback address: other machines may reach this server`)
}

const tellOf = (
  message: Extract<CrewMessage, { readonly type: "event" | "lost" }>,
  worker: number,
  { trace, report, options, scenario }: CrewRun
): void => {
  if (message.type === "lost") {
    trace?.append(JSON.stringify({ type: "lost", worker, events: message.events }))
    report.human(`${message.events} events of process ${worker} are not told, for nobody took them`)
    return
  }
  const { event } = message
  trace?.append(JSON.stringify({ ...event, worker }))
  report.event(event)
  const line = options.log === undefined && scenario.script().isStrict ? refusalLine(event) : null
  if (line !== null) report.human(line)
}

const tellLeft = (left: ReadonlyArray<Leftovers>, report: Report): void => {
  if (left.length === 0) return
  const all = { count: left.reduce((sum, { count }) => sum + count, 0), lines: left.flatMap(({ lines }) => lines) }
  report.record({ type: "leftovers", ...all })
  if (all.count > 0) report.human(...leftoverText(all))
}

/** Of the lines of standard input only `quit` is for all processes alike. */
const heedQuit = async ({ io, stop, report }: CrewRun): Promise<() => void> => {
  const stdin = await io.stdin()
  if (stdin === null) return () => {}
  return readLines(stdin, (line) => {
    const word = line.trim()
    if (word === "") return
    if (word === "quit") stop.wish()
    else report.human(`${JSON.stringify(word)} is for one process; with --workers there is only "quit"`)
  })
}
