import { packageVersion } from "../campaign/package-version.ts"
import { InvalidOption } from "../domain/errors.ts"
import { isHarnessError } from "../domain/harness-error.ts"
import { liveClock } from "../live/clock.ts"
import { makeLiveStreams } from "../live/stream-sockets.ts"
import { type ControlDesk, makeControlDesk } from "../proxy/control/control-desk.ts"
import { type ProxyControl, startProxyControl } from "../proxy/control/proxy-control.ts"
import { endpointText } from "../proxy/endpoint.ts"
import type { FaultProxy, ProxyTotals } from "../proxy/fault-proxy.ts"
import type { Direction, FaultProgram } from "../proxy/plan/fault-program.ts"
import type { ProxyEvent } from "../proxy/proxy-event.ts"
import { isProblem, proxyEventLine, telling } from "../proxy/proxy-event-line.ts"
import type { ProxyRecording } from "../proxy/proxy-recording.ts"
import { spawnFaultProxy } from "../proxy.ts"
import { type CommandIo, exitCodes, RunFailed } from "./command-io.ts"
import { answerLine } from "./proxy-line.ts"
import type { ProxyAsked } from "./proxy-options.ts"
import { readPlanFile } from "./proxy-plan-file.ts"
import { openRecordFile, type RecordFile } from "./proxy-record-file.ts"
import { readLines } from "./read-lines.ts"
import { makeReport, type Report } from "./report.ts"
import { isSameFile } from "./same-file.ts"
import { type StopWish, stopOnSignals } from "./stop-signals.ts"
import { openTraceFile, type TraceFile } from "./trace-file.ts"

/** What belongs to one run of `proxy` before there is a proxy. */
interface Run {
  readonly asked: ProxyAsked
  readonly plan: FaultProgram
  readonly io: CommandIo
  readonly stop: StopWish
  readonly report: Report
  readonly trace: TraceFile | null
  readonly record: RecordFile | null
  readonly spawn: typeof spawnFaultProxy
}

/**
 * Stands between two programs until a signal, or the command `stop`, and gives the exit code. Whatever can be wrong with options, plan
 * and files is found before anything listens.
 *
 * @since 0.1.0
 * @category running
 */
export const proxy = async (
  asked: ProxyAsked,
  io: CommandIo,
  { spawn = spawnFaultProxy }: { readonly spawn?: typeof spawnFaultProxy } = {}
): Promise<number> => {
  const report = makeReport(asked.log, io)
  const closers: Array<() => void> = []
  try {
    const plan = asked.plan === undefined ? { rules: [] } : readPlanFile(asked.plan)
    refuseOneFile(asked)
    const firstLine = JSON.stringify({ type: "run", version: packageVersion(), pid: process.pid, ...saidOf(asked) })
    const trace = openTrace(asked, { firstLine, report })
    if (trace !== null) closers.push(trace.close)
    const record = asked.record === undefined ? null : openRecordFile(asked.record, firstLine)
    if (record !== null) closers.push(record.close)
    refuseOneFile(asked)
    // Only from here: reading files blocks, and a signal meanwhile must end the process as it ends any other.
    // The end of its terminal too: sockets would stay behind.
    const stop = stopOnSignals(io, { hangUp: true })
    return await runProxy({ asked, plan, io, stop, report, trace, record, spawn })
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

/** What is written to both would be lost. Asked again when both are there, for which file a path makes is not always known before. */
const refuseOneFile = ({ trace, record }: ProxyAsked): void => {
  if (trace === undefined || record === undefined || !isSameFile(trace, record)) return
  throw new RunFailed(`--trace and --record name one file, ${JSON.stringify(record)}; give one of them another`)
}

const saidOf = ({ listen, upstream, framing }: ProxyAsked) => ({
  listen: endpointText(listen),
  upstream: endpointText(upstream.address),
  framing
})

const openTrace = (
  { trace: path }: ProxyAsked,
  { firstLine, report }: { readonly firstLine: string; readonly report: Report }
): TraceFile | null =>
  path === undefined
    ? null
    : openTraceFile(path, {
        firstLine,
        failed: (reason) => report.human(`${reason}; the proxy goes on without a trace`)
      })

const runProxy = async (run: Run): Promise<number> => {
  const { asked, stop, report, io, record } = run
  if (stop.isWished()) return exitCodes.ok
  const started = await orTold("--listen", start(run))
  // A proxy that accepts nobody any more says nothing later.
  let lost: Outcome | null = null
  const desk = makeControlDesk(started, stop.wish)
  const closers: Array<() => void> = []
  let control: ProxyControl | null = null
  try {
    if (asked.control !== undefined) {
      const world = { clock: liveClock, streams: makeLiveStreams() }
      control = await orTold("--control", startProxyControl(world, { listen: asked.control, desk }))
    }
    record?.begin()
    announce(started, control, run)
    const see = seeing(run, () => {
      lost = outcomeOf(started)
      stop.wish()
    })
    for (const event of started.events()) see(event)
    started.watch(see)
    closers.push(await listen(desk, { io, report }))
    await stop.wished
  } finally {
    for (const close of closers) close()
    await started.stop()
    await control?.stop()
    report.closing()
  }
  sumUp(lost ?? outcomeOf(started), run)
  return lost === null ? exitCodes.ok : exitCodes.failed
}

const start = ({ asked, plan, spawn }: Run): Promise<FaultProxy> =>
  spawn(asked.listen, asked.upstream.address, plan, {
    framing: asked.framing,
    ...(asked.seed === undefined ? {} : { seed: asked.seed }),
    ...(asked.tail === undefined ? {} : { tail: asked.tail }),
    // Whoever has events told reads what became of each frame.
    events: asked.trace === undefined && asked.log === undefined ? "runs" : "frames",
    record: asked.record !== undefined
  })

/** What cannot be had is told with the option that asks for it. */
const orTold = async <A>(option: "--listen" | "--control", starting: Promise<A>): Promise<A> => {
  try {
    return await starting
  } catch (error) {
    if (error instanceof InvalidOption) throw new RunFailed(error.message)
    if (isHarnessError(error, "PathTooLong")) throw new RunFailed(`${error.message}; give a shorter one`)
    if (!isHarnessError(error, "ProxyBindFailed")) throw error
    throw new RunFailed(`${error.message}; give ${option} another path or port, or end what is there`)
  }
}

/** What is done with each event; `failed` is told when nobody is accepted any more. */
const seeing =
  ({ asked, report, trace }: Run, failed: () => void) =>
  (event: ProxyEvent): void => {
    trace?.append(JSON.stringify(event))
    report.record({ ...event })
    if (asked.log === "pretty") report.line(proxyEventLine(event))
    else if (isProblem(event)) report.human(telling(event))
    if (event.type === "failed") failed()
  }

const announce = (started: FaultProxy, control: ProxyControl | null, { asked, report }: Run): void => {
  const { address, url, upstream, seed } = started
  const isHttp = asked.framing === "http" || (typeof asked.framing === "object" && asked.framing.type === "http")
  const listen = endpointText(address)
  report.ready({
    type: "ready",
    listen,
    ...(address.kind === "tcp" ? { port: address.port } : {}),
    ...(url !== null && isHttp ? { url } : {}),
    upstream: endpointText(upstream),
    ...(control === null ? {} : { control: endpointText(control.address) }),
    framing: asked.framing,
    rules: started.rules().length,
    seed,
    pid: process.pid
  })
  const rules = asked.plan === undefined ? "no faults" : `${asked.plan}, ${counted(started.rules().length, "rule")}`
  const commands = control === null ? "" : `; commands at ${endpointText(control.address)}`
  report.human(`${listen} is connected to ${endpointText(upstream)} (${rules}, seed ${seed})${commands}; Ctrl-C stops`)
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`

/** Carries out the lines of standard input; gives what ends that. */
const listen = async (
  desk: ControlDesk,
  { io, report }: { readonly io: CommandIo; readonly report: Report }
): Promise<() => void> => {
  const stdin = await io.stdin()
  if (stdin === null) return () => {}
  return readLines(stdin, (line) => {
    void answerLine(line, desk).then((answer) => {
      if (answer === null) return
      report.human(JSON.stringify(answer))
      report.record({ type: "command", line: line.trim(), ...answer })
    })
  })
}

/** What has come of it. */
interface Outcome {
  readonly totals: ProxyTotals
  readonly forwarded: Readonly<Record<Direction, number>>
  readonly recording: ProxyRecording | null
  readonly seed: number
}

const outcomeOf = (started: FaultProxy): Outcome => ({
  totals: started.totals(),
  forwarded: {
    clientToLeader: started.forwarded("clientToLeader"),
    leaderToClient: started.forwarded("leaderToClient")
  },
  recording: started.recording(),
  seed: started.seed
})

/** The last words, and what was recorded. */
const sumUp = ({ totals, forwarded, recording, seed }: Outcome, { record, report }: Run): void => {
  const recorded = recording === null ? {} : { recorded: recording.frames.length, missed: recording.missed }
  report.summary({ type: "summary", ...totals, forwarded, ...recorded, seed })
  const { accepted, severed, frameErrors, upstreamRefused } = totals
  const counts = [
    counted(accepted, "connection"),
    `${counted(forwarded.clientToLeader, "frame")} to the upstream and ${forwarded.leaderToClient} back`,
    `${severed} severed`,
    ...(frameErrors === 0 ? [] : [`${frameErrors} with bad frames`]),
    ...(upstreamRefused === 0 ? [] : [`${upstreamRefused} without an upstream`])
  ]
  report.human(`stopped: ${counts.join(", ")}`)
  // What is told above does not depend on whether there is room for this.
  if (recording !== null) record?.write(recording)
}
