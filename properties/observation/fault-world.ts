import type { FaultEvent } from "../../src/faults/fault-event.ts"
import type { FaultRecord, FaultServer } from "../../src/faults/fault-server-api.ts"
import { startFaults } from "../../src/faults/start-fault-server.ts"
import { type Draw, listedChoice, recordedChoice } from "../../src/kernel/choice-sources.ts"
import { makeVirtualClock, type VirtualClock } from "../../src/kernel/virtual-clock.ts"
import { makeVirtualHttp, type VirtualHttp } from "../../src/sim/virtual-http.ts"
import type { FaultHistory, FaultSetup } from "../model/fault-history.ts"
import { optionsOf } from "./fault-options.ts"
import type { Moment, RecordView, SeenEvent } from "./fault-run.ts"
import { makeSlowHttp, plainLifetime, type SlowHttp } from "./slow-http.ts"

/** A fault server in virtual time, and what was noted about it. */
export interface FaultWorld {
  readonly server: FaultServer
  readonly clock: VirtualClock
  readonly http: VirtualHttp
  readonly slow: SlowHttp
  readonly told: ReadonlyArray<SeenEvent>
  readonly moments: ReadonlyArray<Moment>
  readonly draws: ReadonlyArray<Draw>
  readonly closings: ReadonlyArray<Promise<void>>
  /** How many events had been told when it was closed first. */
  toldWhenClosing(): number | null
  /** Notes how the records stand, where they have changed. */
  look(): void
  close(): void
}

/** @since 0.1.0 @category running */
export const startFaultWorld = ({ setup, ties }: FaultHistory): FaultWorld => {
  const clock = makeVirtualClock(listedChoice(ties))
  const http = makeVirtualHttp(clock)
  const slow = makeSlowHttp(http)
  const told: Array<SeenEvent> = []
  const moments: Array<Moment> = []
  const draws: Array<Draw> = []
  const closings: Array<Promise<void>> = []
  let server: FaultServer | null = null
  let toldWhenClosing: number | null = null

  const look = (): void => {
    const records = (server?.requests ?? []).map(viewOf)
    const last = moments.at(-1)
    if (JSON.stringify(last?.records ?? []) !== JSON.stringify(records)) moments.push({ at: clock.now(), records })
  }
  const close = (): void => {
    if (server === null) return
    toldWhenClosing ??= told.length
    closings.push(server.close())
  }
  const onEvent = (event: FaultEvent): unknown => {
    look()
    const text = JSON.stringify(event)
    told.push({ event, text, at: clock.now(), recordsThen: server?.requests.length ?? 0 })
    return behave(setup.observer, event, told.length, close)
  }
  startFaults(
    {
      clock,
      http: slow.port,
      lifetime: plainLifetime(),
      anySeed: () => 0,
      countsConnects: true,
      ...(setup.draws === null ? {} : { choice: recordedChoice(listedChoice(setup.draws), draws) })
    },
    { ...optionsOf(setup), onEvent },
    {
      started: (started) => {
        server = started
      },
      failed: (error) => {
        throw error
      }
    }
  )
  clock.settle()
  if (server === null) throw new Error("the virtual fault server did not start")
  return {
    server,
    clock,
    http,
    slow,
    told,
    moments,
    draws,
    closings,
    toldWhenClosing: () => toldWhenClosing,
    look,
    close
  }
}

const viewOf = ({ chunksSent, outcome }: FaultRecord): RecordView => [chunksSent, outcome ?? null]

const behave = (observer: FaultSetup["observer"], event: FaultEvent, count: number, close: () => void): unknown => {
  if (observer === "throws") throw new Error("an observer")
  if (observer === "rejects") return Promise.reject(new Error("a late observer"))
  if (observer === "meddles") Reflect.set(event, "attempt", -1)
  if (typeof observer === "object" && observer.closesAt === count) close()
  return undefined
}
