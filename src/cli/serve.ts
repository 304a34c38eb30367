import { packageVersion } from "../campaign/package-version.ts"
import type { MockInferenceServer, ServerControls } from "../index.ts"
import { type CommandIo, exitCodes, RunFailed } from "./command-io.ts"
import { runLine } from "./line-commands.ts"
import { readLines } from "./read-lines.ts"
import { makeRedaction, type Redaction } from "./redaction.ts"
import { reloadScenario } from "./reload-scenario.ts"
import { makeReport, type Report } from "./report.ts"
import { openScenario, type ScenarioSession } from "./scenario-session.ts"
import { refusalLine, tellLeftovers } from "./serve-leftovers.ts"
import type { ServeOptions } from "./serve-options.ts"
import { startOrFail } from "./start-or-fail.ts"
import { type StopWish, stopOnSignals } from "./stop-signals.ts"
import { openTraceFile, type TraceFile } from "./trace-file.ts"
import { watchFile } from "./watch-file.ts"

/** What belongs to one run of `serve` before there is a server. */
interface Run {
  readonly options: ServeOptions
  readonly io: CommandIo
  readonly stop: StopWish
  readonly report: Report
  readonly redaction: Redaction
  readonly scenario: ScenarioSession
  readonly trace: TraceFile | null
  /** Called in reverse order when the run is over. */
  readonly closers: Array<() => void>
}

/**
 * Serves until a signal, or `quit` on standard input, and gives the exit code. Whatever can be wrong with options,
 * scenario and trace file is found before a port is opened.
 *
 * @since 0.1.0
 * @category running
 */
export const serve = async (options: ServeOptions, io: CommandIo): Promise<number> => {
  const report = makeReport(options.log, io)
  const closers: Array<() => void> = []
  try {
    const scenario = await openScenario(options.scenario, {
      profile: options.profile,
      token: options.apiKey,
      strict: options.strict,
      faultHeader: options.faultHeader
    })
    const crew = options.workers === undefined ? null : await loadCrew(scenario)
    if (crew?.isMate === true) return await crew.serveAsMate(options, { io, scenario })
    const trace = openTrace(options, report)
    if (trace !== null) closers.push(trace.close)
    // Only from here: reading files blocks, and a signal meanwhile must end the process as it ends any other.
    const stop = stopOnSignals(io)
    if (crew !== null) await crew.serveCrew({ options, io, stop, report, scenario, trace, closers })
    else await serveScenario({ options, io, stop, report, scenario, trace, closers, redaction: makeRedaction() })
    return exitCodes.ok
  } catch (error) {
    if (!(error instanceof RunFailed)) throw error
    report.closing()
    report.human(error.message, error.details)
    return exitCodes.failed
  } finally {
    for (const close of closers.reverse()) close()
    report.end()
  }
}

/** What serves by several processes, loaded where it is asked for. */
const loadCrew = async (scenario: ScenarioSession) => {
  const [{ default: cluster }, { refuseTaken, serveCrew }, { serveAsMate }] = await Promise.all([
    import("node:cluster"),
    import("./serve-crew.ts"),
    import("./serve-mate.ts")
  ])
  refuseTaken(scenario)
  return { isMate: cluster.isWorker, serveCrew, serveAsMate }
}

const openTrace = ({ trace: path }: ServeOptions, report: Report): TraceFile | null => {
  if (path === undefined) return null
  const firstLine = JSON.stringify({ type: "run", version: packageVersion(), pid: process.pid })
  return openTraceFile(path, {
    firstLine,
    failed: (reason) => report.human(`${reason}; the server goes on without a trace`)
  })
}

const serveScenario = async (run: Run): Promise<void> => {
  const { stop, report, scenario, closers } = run
  // Watched before the port is opened, so that a failure comes early and no change is missed.
  let isStale = false
  let changed = (): void => {
    isStale = true
  }
  if (run.options.watch) closers.push(watch(run, () => changed()))
  if (stop.isWished()) return
  const noteKey = (): void => {
    const { token } = scenario.script()
    if (token !== null) run.redaction.add(token)
  }
  noteKey()
  const { host, port } = run.options
  const server = await startOrFail({
    host,
    port,
    script: scenario.script(),
    prepare(controls) {
      scenario.start(controls)
      trace(controls, run)
    }
  })
  try {
    changed = () => {
      reloadScenario(server, run)
      noteKey()
    }
    if (stop.isWished()) return
    announce(server, run)
    if (isStale) changed()
    await listen(server, run)
    await stop.wished
  } finally {
    changed = () => {}
    const { blocked } = await server.close()
    report.closing()
    if (blocked.length > 0) report.human(`cut ${blocked.length} unfinished responses:`, blocked)
    if (scenario.script().isStrict) tellLeftovers(server, run)
  }
}

const watch = ({ options, report }: Run, changed: () => void): (() => void) => {
  const file = options.scenario ?? ""
  try {
    return watchFile(file, {
      changed,
      lost: (reason) =>
        report.human(`cannot watch ${JSON.stringify(file)} any more: ${reason}; restart to load changes`)
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new RunFailed(`cannot watch ${JSON.stringify(file)}: ${reason}; start without --watch`)
  }
}

/**
 * Hands every event to the trace file and the log, those of the start included. Where there is no log, a strict server says on
 * stderr what it refused.
 */
const trace = (server: ServerControls, { trace: file, report, redaction, options, scenario }: Run): void => {
  for (const event of server.traceEvents()) file?.append(JSON.stringify(redaction.event(event)))
  server.watchTrace((event) => {
    const safe = redaction.event(event)
    file?.append(JSON.stringify(safe))
    report.event(safe)
    if (options.log !== undefined || !scenario.script().isStrict) return
    const line = refusalLine(safe)
    if (line !== null) report.human(line)
  })
}

const announce = (server: MockInferenceServer, { options, report, scenario }: Run): void => {
  const { profile, token, expectations } = scenario.script()
  report.ready({ type: "ready", url: server.url(), origin: server.origin(), profile, pid: process.pid })
  const key = token === null ? "no key" : "a key"
  const script = options.scenario === undefined ? "echo" : `${options.scenario}, ${expectations.length} expectations`
  report.human(`serving ${script} at ${server.origin()} (profile ${profile}, ${key} required); Ctrl-C stops`)
  if (!/^(127\.|::1$|localhost$)/.test(options.host)) {
    report.human(`${options.host} is no loopback address: other machines may reach this server`)
  }
}

/** Carries out the lines of standard input. */
const listen = async (server: MockInferenceServer, { io, report, scenario, stop, closers }: Run): Promise<void> => {
  const stdin = await io.stdin()
  if (stdin === null) return
  const target = { server, handles: () => scenario.applied()?.handles ?? new Map(), quit: stop.wish }
  closers.push(
    readLines(stdin, (line) => {
      const outcome = runLine(line, target)
      if (outcome === null) return
      report.human(outcome.message)
      report.record({ type: "command", line: line.trim(), ...outcome })
    })
  )
}
