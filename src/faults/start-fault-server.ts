import { StartFailed } from "../domain/errors.ts"
import type { Choice } from "../kernel/choice.ts"
import { makeTrace } from "../kernel/trace.ts"
import type { ListenAddress } from "../ports/http-port.ts"
import { makeAttempts } from "../serving/attempts.ts"
import { makeHttpApp } from "../serving/http-app.ts"
import { startListener } from "../serving/listener.ts"
import { serverClock } from "../serving/server-clock.ts"
import type { ServerPorts } from "../serving/server-ports.ts"
import { makeSupervisor, type Supervisor } from "../supervisor/supervisor.ts"
import { laneChance } from "./chance/lane-chance.ts"
import { checkFaultServer, type ReadyOptions } from "./check-server-options.ts"
import { type FaultCoreParts, faultRoute } from "./fault-core.ts"
import { type FaultRecords, makeFaultRecords } from "./fault-records.ts"
import type { FaultServer, FaultServerOptions } from "./fault-server-api.ts"
import { answerTerms } from "./fault-terms.ts"
import { makeGapKeeper } from "./gap-keeper.ts"
import { declaredLaneName } from "./lane-key.ts"
import { makeLanes } from "./lanes.ts"
import { makeFaultHandle } from "./make-fault-handle.ts"
import { mainPort, type OpenPort, originOf } from "./open-port.ts"

/** What a world provides for a fault server. */
export interface FaultPorts extends ServerPorts {
  /** A seed for runs that were given none. */
  readonly anySeed: () => number
  /** Answers `random` entries in the place of the seed. */
  readonly choice?: Choice
  /** Whether the world shows connects that are refused. */
  readonly countsConnects: boolean
}

/** More records than this are forgotten, unless told otherwise. */
export const recordsMaxDefault = 100_000

const bodyBytesDefault = 67_108_864

/**
 * Starts a fault server in either world.
 *
 * **Fails** by `failed` with `StartFailed`; by throwing `InvalidOption` before anything is bound
 * **Source** fault-server.md, sections 6.1 and 6.4
 *
 * @since 0.1.0
 * @category constructors
 */
export const startFaults = (
  ports: FaultPorts,
  options: FaultServerOptions,
  report: { readonly started: (server: FaultServer) => void; readonly failed: (error: StartFailed) => void }
): void => {
  const ready = checkFaultServer(options, ports)
  const { clock } = ports
  const seed = options.randomSeed ?? ports.anySeed()
  const trace = makeTrace(clock)
  const supervisor = makeSupervisor({ clock, trace, guardClock: ports.guardClock ?? clock })
  const started = { at: clock.now() }
  const records = makeFaultRecords({
    clock,
    trace,
    recordsMax: options.recordsMax ?? recordsMaxDefault,
    isFull: options.telemetry === "full",
    readyAt: () => started.at,
    onEvent: options.onEvent
  })
  const lanes = makeFaultLanes(supervisor, ready, { seed, options, choice: ports.choice })
  const open: Array<OpenPort> = []
  const core: FaultCoreParts = {
    clock,
    trace,
    records,
    lanes,
    rules: {
      seed,
      keyed: options.keyed ?? false,
      attempts: makeAttempts({}, options.keyed ?? false),
      upcoming: records.upcoming
    },
    terms: answerTerms(options),
    formats: ready.formats,
    apiKey: options.apiKey ?? null,
    maxBodyBytes: options.maxBodyBytes ?? bodyBytesDefault,
    laneRules: ready.laneRules,
    onlyForeground: options.lanes?.onlyForeground ?? false,
    faultHeader: options.faultHeader ?? options.lanes?.isStrict !== true,
    gapBegins(gap, key) {
      const port = open.find(({ lane }) => key !== null && lane === key) ?? mainPort(open)
      // The port turns in a step of its own: the exchange has to be told first.
      supervisor.postpone("gap", () => port?.gaps.begin(gap))
    }
  }
  const handle = makeFaultHandle({ seed, options, records, lanes, trace, open, clock: serverClock(ports) })
  const wanted: ReadonlyArray<string | null> = [null, ...lanePorts(ready, options)]
  openPorts(
    { ports, options, supervisor, core, records, open, wanted, left: new Set(wanted) },
    {
      opened() {
        started.at = clock.now()
        // A gap before the first entry begins as soon as the ports are known.
        clock.arm(0, "started", () => {
          for (const { lane, gaps } of open) {
            const first = (lane === null ? ready.base : ready.named.get(lane))?.script.gaps.get(0)
            if (first !== undefined) gaps.begin(first)
          }
          report.started(handle.server)
        })
      },
      failed(error) {
        ports.lifetime.end()
        report.failed(error)
      },
      lost: handle.lost,
      closed() {
        ports.lifetime.end()
        handle.closed()
      }
    }
  )
}

/** The lanes that listen by themselves: those named exactly. */
const lanePorts = ({ named }: ReadyOptions, { lanes }: FaultServerOptions): ReadonlyArray<string> =>
  lanes?.lanePort === true ? [...named.keys()].filter((key) => !key.includes("*")) : []

const makeFaultLanes = (
  supervisor: Supervisor,
  ready: ReadyOptions,
  {
    seed,
    options,
    choice
  }: { readonly seed: number; readonly options: FaultServerOptions; readonly choice: Choice | undefined }
) => {
  return makeLanes(
    supervisor,
    {
      base: ready.base,
      named: ready.named,
      perLane: ready.isPerLane,
      isStrict: options.lanes?.isStrict ?? false,
      nameOf: (key) => declaredLaneName(key, ready.laneRules)
    },
    ({ key, name }, { weights }) =>
      laneChance({
        seed,
        lane: key,
        label: name,
        ...(choice === undefined ? {} : { choice }),
        ...(ready.profile === null || weights !== ready.profile.weights ? { weights } : { profile: ready.profile })
      })
  )
}

interface Opening {
  readonly ports: FaultPorts
  readonly options: FaultServerOptions
  readonly supervisor: Supervisor
  readonly core: FaultCoreParts
  readonly records: FaultRecords
  readonly open: Array<OpenPort>
  readonly wanted: ReadonlyArray<string | null>
  /** Those that are neither closed nor lost. */
  readonly left: Set<string | null>
}

interface PortsReport {
  opened(): void
  failed(error: StartFailed): void
  /** A port could not be had again after a gap. */
  lost(reason: string, address: ListenAddress): void
  closed(): void
}

/** Opens one port after the other; the server has started when all are open, and is closed when none is. */
const openPorts = (opening: Opening, report: PortsReport): void => {
  const { ports, options, supervisor, core, records, open, wanted, left } = opening
  const next = open.length
  const lane = wanted[next]
  if (lane === undefined) {
    report.opened()
    return
  }
  const host = options.host ?? "127.0.0.1"
  const address: ListenAddress = { host, port: lane === null ? (options.port ?? 0) : 0 }
  const app = makeHttpApp({
    supervisor,
    lifetime: ports.lifetime.fork(() => {}),
    route: faultRoute(core, lane)
  })
  let hasOpened = false
  const gaps = makeGapKeeper({
    clock: ports.clock,
    records,
    listener: () => listener,
    baseURL: () => `${originOf({ host, port: open[next]?.address.port ?? address.port })}/v1`
  })
  const over = (): void => {
    gaps.end()
    left.delete(lane)
    if (left.size === 0) report.closed()
  }
  const listener = startListener({
    supervisor,
    http: ports.http,
    app,
    address,
    beforeEnd: gaps.end,
    report: {
      listening(bound) {
        hasOpened = true
        open.push({ lane, listener, gaps, address: { host, port: bound.port } })
        supervisor.postpone("opened", () => openPorts(opening, report))
      },
      turned: gaps.turned,
      refused: gaps.refused,
      failed(reason) {
        if (!hasOpened) {
          report.failed(new StartFailed(`cannot serve on ${host}:${address.port}: ${reason}`))
          return
        }
        gaps.end()
        // Nobody can connect any more; what is in progress is ended before that is told.
        app.endAll(() => {
          report.lost(reason, open[next]?.address ?? address)
          over()
        })
      },
      closed: over
    }
  })
}
