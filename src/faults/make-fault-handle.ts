import { delayMsMax } from "../domain/durations.ts"
import { InvalidOption, StartFailed } from "../domain/errors.ts"
import type { Trace } from "../kernel/trace.ts"
import type { ListenAddress } from "../ports/http-port.ts"
import type { ServerClock } from "../serving/server-clock.ts"
import type { FaultRecords } from "./fault-records.ts"
import type { FaultServer, FaultServerOptions } from "./fault-server-api.ts"
import type { Lanes } from "./lanes.ts"
import { mainPort, type OpenPort, originOf } from "./open-port.ts"

/** The handle of a fault server, and what tells it that all is over. */
export interface FaultHandle {
  readonly server: FaultServer
  closed(): void
  /** A port could not be had again. */
  lost(reason: string, address: ListenAddress): void
}

/** @since 0.1.0 @category constructors */
export const makeFaultHandle = (parts: {
  readonly seed: number
  readonly options: FaultServerOptions
  readonly records: FaultRecords
  readonly lanes: Lanes
  readonly trace: Trace
  readonly open: ReadonlyArray<OpenPort>
  readonly clock: ServerClock
}): FaultHandle => {
  const { seed, records, lanes, trace, open, clock } = parts
  let settle = { resolve: (): void => {}, reject: (_error: StartFailed): void => {} }
  const closed = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // Whoever does not look at it must not be told by an unhandled rejection.
  closed.catch(() => {})
  let isClosing = false
  let tellAllOver = (): void => {}
  // Not `closed`, which is rejected as soon as one port is lost.
  const allOver = new Promise<void>((resolve) => {
    tellAllOver = resolve
  })
  const main = (): ListenAddress =>
    mainPort(open)?.address ?? { host: parts.options.host ?? "127.0.0.1", port: parts.options.port ?? 0 }
  const close = (): Promise<void> => {
    if (isClosing) return allOver
    isClosing = true
    // First of all: what ends with the server begins no gap any more.
    for (const { gaps } of open) gaps.end()
    for (const { listener } of open) listener.close(0)
    return allOver
  }
  const server: FaultServer = {
    get baseURL() {
      return originOf(main())
    },
    get url() {
      return `${originOf(main())}/v1`
    },
    get port() {
      return main().port
    },
    randomSeed: seed,
    requests: records.list,
    unexpected: records.exhausted,
    get laneURLs() {
      return new Map(open.flatMap(({ lane, address }) => (lane === null ? [] : [[lane, originOf(address)] as const])))
    },
    lanes: lanes.all,
    assertDrained: lanes.assertDrained,
    refuse(options) {
      const port = mainPort(open)
      if (options === undefined) port?.gaps.refuse()
      else port?.gaps.begin({ kind: "time", ms: checkedMs(options) })
    },
    accept: () => mainPort(open)?.gaps.accept(),
    clock,
    traceEvents: trace.events,
    watchTrace: (see) => trace.watch(see),
    closed,
    close,
    [Symbol.asyncDispose]: close
  }
  return {
    server,
    closed() {
      settle.resolve()
      tellAllOver()
    },
    lost(reason, { port }) {
      const error = new StartFailed(`the port ${port} could not be had again after a gap: ${reason}`)
      records.tell({ type: "error", code: codeOf(reason) })
      settle.reject(error)
    }
  }
}

const checkedMs = (options: unknown): number => {
  const ms = typeof options === "object" && options !== null && "ms" in options ? options.ms : undefined
  if (typeof ms === "number" && Number.isInteger(ms) && ms >= 0 && ms <= delayMsMax) return ms
  throw new InvalidOption(`refuse({ ms }) needs an integer between 0 and ${delayMsMax}`)
}

/** The code that the system gave, where there is one. */
const codeOf = (reason: string): string => /\bE[A-Z]{3,}\b/.exec(reason)?.[0] ?? "ELISTEN"
