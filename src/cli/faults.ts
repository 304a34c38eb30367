import { StartFailed } from "../domain/errors.ts"
import type { FaultEvent } from "../faults/fault-event.ts"
import type { FaultServer } from "../faults/fault-server-api.ts"
import { originOf } from "../faults/open-port.ts"
import { startFaultServer } from "../faults.ts"
import type { Clock } from "../kernel/clock.ts"
import { liveClock } from "../live/clock.ts"
import { type CommandIo, exitCodes } from "./command-io.ts"
import type { FaultsPlan } from "./faults-check.ts"
import { readyRecord } from "./faults-ready.ts"
import { type FaultsStop, heedSignals } from "./faults-stop.ts"
import { type FaultsTally, makeTally } from "./faults-tally.ts"
import { makeReport, type Report } from "./report.ts"

/** One run of `understudy faults`. */
interface Run {
  readonly plan: FaultsPlan
  readonly clock: Clock
  readonly report: Report
  readonly stop: FaultsStop
}

/**
 * Serves faults until a signal, and gives its exit code; 1 when the port could not be had again after a gap.
 *
 * **Takes** `stop`: the signals, which may have come already; `clock`: of the refusal before the port is bound
 * **Fails** with `StartFailed` when the port cannot be had
 * **Source** fault-server.md, sections 4.3 to 4.5 and 9.2
 *
 * @since 0.1.0
 * @category running
 */
export const faults = async (
  plan: FaultsPlan,
  io: CommandIo,
  { stop = heedSignals(io), clock = liveClock }: { readonly stop?: FaultsStop; readonly clock?: Clock } = {}
): Promise<number> => {
  const run: Run = { plan, clock, report: makeReport("jsonl", io), stop }
  const early = stop.code() ?? (await refuse(run))
  if (early !== null) return early
  // An exchange may be accepted before the start is over; its records come behind that of the start.
  const waiting: Array<FaultEvent> = []
  let tell = (event: FaultEvent): void => void waiting.push(event)
  const server = await start(plan, (event) => tell(event))
  const stopped = run.stop.code()
  if (stopped !== null) {
    tell = () => {}
    await server.close()
    return stopped
  }
  const tally = makeTally()
  tell = (event) => {
    tally.count(event)
    run.report.record({ ...event })
  }
  announce(server, run)
  for (const event of waiting) tell(event)
  return serveToTheEnd(server, run, tally)
}

/** The phase before the port is bound: connects are refused by the system. Gives the exit code of a signal. */
const refuse = async ({ plan, clock, report, stop }: Run): Promise<number | null> => {
  if (plan.refusal === null) return null
  const { ms } = plan.refusal
  report.record({ type: "unavailable", baseURL: `${originOf(plan)}/v1`, listenDelayMs: ms })
  let forget = (): void => {}
  const over = new Promise<void>((resolve) => {
    forget = clock.arm(ms, "unavailable", resolve)
  })
  await Promise.race([over, stop.stopped])
  forget()
  return stop.code()
}

const start = async (plan: FaultsPlan, onEvent: (event: FaultEvent) => void): Promise<FaultServer> => {
  try {
    return await startFaultServer({ ...plan.options, onEvent })
  } catch (error) {
    if (!(error instanceof StartFailed)) throw error
    const advice = error.message.includes("EADDRINUSE")
      ? "another program has that port; give another --port, or 0 for a free one"
      : "give a --host of this machine and a --port that you may use"
    throw new StartFailed(`${error.message}; ${advice}`, { cause: error })
  }
}

const announce = (server: FaultServer, { plan, report }: Run): void => {
  report.ready(readyRecord(server, plan))
  report.human(`faults at ${server.url}, seed ${server.randomSeed}; Ctrl-C stops`)
  if (!/^(127\.|::1$|localhost$)/.test(plan.host)) {
    report.human(`${plan.host} is no loopback address: other machines may reach this server`)
  }
}

const serveToTheEnd = async (server: FaultServer, { plan, report, stop }: Run, tally: FaultsTally): Promise<number> => {
  const lost = new Promise<Error>((resolve) => server.closed.catch(resolve))
  const end = await Promise.race([stop.stopped, lost])
  await server.close()
  report.closing()
  if (typeof end !== "number") report.human(end.message)
  if (plan.isFull) report.summary({ type: "summary", ...tally.totals(), randomSeed: server.randomSeed })
  report.end()
  stop.closed()
  return typeof end === "number" ? end : exitCodes.failed
}
