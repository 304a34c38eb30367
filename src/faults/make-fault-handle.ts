import { durationMs } from "../domain/duration.ts"
import { InvalidOption, StartFailed } from "../domain/errors.ts"
import type { Clock } from "../kernel/clock.ts"
import type { Trace } from "../kernel/trace.ts"
import type { FaultRecords } from "./fault-records.ts"
import type { FaultServer, FaultServerOptions } from "./fault-server-api.ts"
import type { Lanes } from "./lanes.ts"
import { type OpenPort, originOf } from "./open-port.ts"

/** The handle of a fault server, and what tells it that all is over. */
export interface FaultHandle {
  readonly server: FaultServer
  closed(): void
  lost(reason: string): void
}

/** @since 0.1.0 @category constructors */
export const makeFaultHandle = (parts: {
  readonly seed: number
  readonly options: FaultServerOptions
  readonly records: FaultRecords
  readonly lanes: Lanes
  readonly trace: Trace
  readonly open: ReadonlyArray<OpenPort>
  readonly clock: Clock
  readonly advance: ((ms: number) => Promise<void>) | undefined
}): FaultHandle => {
  const { seed, records, lanes, trace, open, clock, advance } = parts
  let settle = { resolve: (): void => {}, reject: (_error: StartFailed): void => {} }
  const closed = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // Whoever does not look at it must not be told by an unhandled rejection.
  closed.catch(() => {})
  let closing: Promise<void> | null = null
  let isOver = false
  // The ports are forgotten when they close; what the handle says about them stays.
  const known = { main: null as OpenPort | null, lanes: new Map<string, string>() }
  const main = (): OpenPort["address"] => {
    known.main ??= open[0] ?? null
    return known.main?.address ?? { host: parts.options.host ?? "127.0.0.1", port: parts.options.port ?? 0 }
  }
  const close = (): Promise<void> => {
    main()
    closing ??= new Promise((resolve) => {
      closed.then(resolve, () => resolve())
      if (isOver) resolve()
      for (const port of [...open]) port.listener.close(0)
    })
    return closing
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
      for (const { lane, address } of open) if (lane !== null) known.lanes.set(lane, originOf(address))
      return known.lanes
    },
    lanes: lanes.all,
    assertDrained: lanes.assertDrained,
    refuse(options) {
      const [port] = open
      if (options === undefined) port?.gaps.refuse()
      else port?.gaps.begin({ kind: "time", ms: checkedMs(options) })
    },
    accept: () => open[0]?.gaps.accept(),
    clock: {
      now: clock.now,
      async advance(duration) {
        const ms = durationMs(duration)
        if (advance === undefined) {
          throw new InvalidOption(
            'the clock of this server runs by itself; start it with { clock: "manual" } to advance it'
          )
        }
        await advance(ms)
      }
    },
    traceEvents: trace.events,
    closed,
    close,
    [Symbol.asyncDispose]: close
  }
  return {
    server,
    closed() {
      isOver = true
      settle.resolve()
    },
    lost(reason) {
      const error = new StartFailed(`the port ${main().port} could not be had again after a gap: ${reason}`)
      records.tell({ type: "error", code: codeOf(reason) })
      settle.reject(error)
    }
  }
}

const checkedMs = (options: unknown): number => {
  const ms = typeof options === "object" && options !== null && "ms" in options ? options.ms : undefined
  if (typeof ms === "number" && Number.isInteger(ms) && ms >= 0 && ms <= 2_147_483_647) return ms
  throw new InvalidOption("refuse({ ms }) needs an integer between 0 and 2147483647")
}

/** The code that the system gave, where there is one. */
const codeOf = (reason: string): string => /\bE[A-Z]{3,}\b/.exec(reason)?.[0] ?? "ELISTEN"
