import { makeBoundedList } from "../domain/bounded-list.ts"
import { InvalidOption } from "../domain/errors.ts"
import { readWhole } from "../domain/field-readers.ts"
import { ProxyFailed } from "../domain/harness-scope-errors.ts"
import { aFunction, checkOption, whole } from "../domain/option-checks.ts"
import { closedConnectionsMax } from "../domain/proxy-limits.ts"
import { type StreamAddress, streamAddressText } from "../ports/stream-port.ts"
import { cutConnection, isActive, type ProxyConnection, vanishConnection } from "./connection-kind.ts"
import { connectionReport } from "./connection-report.ts"
import type { ConnectionReport, FaultProxy, HeldFrame, ProxyWait } from "./fault-proxy.ts"
import { type ProxyListener, stopListener } from "./listener-kind.ts"
import { barriersOf, type Direction, directions, type FaultRule } from "./plan/fault-program.ts"
import { checkBarriers, heal, isReleased, partition, pause, release, resume } from "./plan/link-state.ts"
import type { DirectionSource } from "./plan/plan-source.ts"
import { readBarrier } from "./plan/read-barrier.ts"
import { readDirection, readPlan, readRule } from "./plan/read-plan.ts"
import type { ProxyRoom } from "./proxy-room.ts"
import type { ProxyProgress, ProxyWaits } from "./proxy-waits.ts"
import { heldFrame } from "./pump-kind.ts"

/** What a handle is made of. */
export interface HandleParts {
  readonly room: ProxyRoom
  readonly waits: ProxyWaits
  readonly listener: ProxyListener
  readonly address: StreamAddress
  readonly seed: number
}

/** A handle, and what its listener tells it. */
export interface HandleOfProxy {
  readonly proxy: FaultProxy
  lost(reason: string): void
  closed(connection: ProxyConnection): void
  stopped(): void
}

/** @since 0.1.0 @category constructors */
export const makeProxyHandle = ({ room, waits, listener, address, seed }: HandleParts): HandleOfProxy => {
  const { plan, counts, log } = room
  const { open } = listener.data
  const past = makeBoundedList<ConnectionReport>({ entriesMax: closedConnectionsMax })
  let failure: string | null = null
  let rulesAdded = 0
  let stopped = (): void => {}
  const whenStopped = new Promise<void>((resolve) => {
    stopped = resolve
  })

  /** What every call begins with. */
  const refuseFailed = (): void => {
    if (failure === null) return
    const where = streamAddressText(address)
    throw new ProxyFailed(`the proxy at ${where} accepts nobody any more (${failure}); stop it, and start another`)
  }
  const active = (id?: number): ReadonlyArray<ProxyConnection> => {
    refuseFailed()
    return [...open].filter((connection) => isActive(connection) && (id === undefined || connection.data.id === id))
  }
  const cut = (connections: ReadonlyArray<ProxyConnection>): number => {
    for (const connection of connections) cutConnection(connection, "it was told to be")
    return connections.length
  }
  const held = (): ReadonlyArray<HeldFrame> =>
    active().flatMap(({ data: { pumps } }) =>
      pumps === null ? [] : directions.flatMap((direction) => heldFrame(pumps[direction]) ?? [])
    )
  const heldAt = (barrier: string): ReadonlyArray<HeldFrame> =>
    held().filter(({ barriers }) => barriers.includes(barrier))
  const chosen = (given: ReadonlyArray<DirectionSource>): ReadonlyArray<Direction> =>
    given.length === 0 ? directions : given.map(checkedDirection)
  const isNamed = (barrier: string): boolean =>
    plan.rules().some(({ action }) => action.type === "hold" && action.barrier === barrier)
  /** Frames would wait for ever at a barrier that cannot be opened. */
  const refuseTooMany = (rules: ReadonlyArray<FaultRule>, more: ReadonlyArray<string> = []): void => {
    const waited = held().flatMap(({ barriers }) => barriers)
    checkBarriers([...room.link().released, ...barriersOf(rules), ...waited, ...more])
  }
  const stop = (): Promise<void> => {
    waits.end()
    stopListener(listener)
    return whenStopped
  }

  const proxy: FaultProxy = {
    address,
    url: urlOf(address),
    upstream: room.upstream,
    seed,
    severNow: () => cut(active()),
    severConnection: (id) => cut(active(id)) > 0,
    forwarded(direction) {
      refuseFailed()
      return room.forwarded[checkedDirection(direction)]
    },
    connections() {
      refuseFailed()
      return [...past.items(), ...[...open].map(connectionReport)].sort((one, other) => one.id - other.id)
    },
    totals: () => ({ ...counts, active: active().length }),
    pause(name, id) {
      refuseFailed()
      const [direction, connection] = [checkedDirection(name), checkedConnection(id)]
      log.record({ type: "paused", direction, connection })
      room.changeLink((state) => pause(state, direction, connection))
    },
    resume(name, id) {
      refuseFailed()
      const [direction, connection] = [checkedDirection(name), checkedConnection(id)]
      log.record({ type: "resumed", direction, connection })
      room.changeLink((state) => resume(state, direction, connection))
    },
    partition(...cutOff) {
      refuseFailed()
      const ways = chosen(cutOff)
      log.record({ type: "partitioned", directions: ways })
      room.changeLink((state) => partition(state, ways))
    },
    heal(...healed) {
      refuseFailed()
      const ways = chosen(healed)
      log.record({ type: "healed", directions: ways })
      room.changeLink((state) => heal(state, ways))
    },
    vanish(id) {
      const gone = active(id)
      for (const connection of gone) {
        log.record({ type: "vanished", connection: connection.data.id })
        vanishConnection(connection)
      }
      return gone.length > 0
    },
    release(name) {
      const barrier = checkedBarrier(name)
      const waiting = heldAt(barrier).length
      if (waiting === 0 && !isNamed(barrier)) refuseTooMany(plan.rules(), [barrier])
      const isNew = release(room.link(), barrier) !== room.link()
      if (isNew) log.record({ type: "released", barrier })
      room.changeLink((state) => release(state, barrier))
      return waiting
    },
    isReleased(name) {
      refuseFailed()
      return isReleased(room.link(), checkedBarrier(name))
    },
    held,
    rules() {
      refuseFailed()
      return [...plan.rules()]
    },
    setPlan(source) {
      refuseFailed()
      const program = readPlan(source)
      refuseTooMany(program.rules)
      plan.replace(program)
    },
    addRule(source) {
      refuseFailed()
      const name = (): string => `added-${rulesAdded}`
      do rulesAdded += 1
      while (plan.rules().some(({ id }) => id === name()))
      const rule = readRule(source, { id: name() })
      if (rule.action.type === "hold") refuseTooMany(plan.rules(), [rule.action.barrier])
      plan.add(rule)
      return rule.id
    },
    removeRule(id) {
      refuseFailed()
      return plan.remove(id)
    },
    async waitForForwarded(name, count, wait) {
      refuseFailed()
      const direction = checkedDirection(name)
      const what = `${count} frames to be forwarded (${direction})`
      const find = (): true | undefined => (room.forwarded[direction] >= count ? true : undefined)
      await waits.until({ what, type: "forwarded", find }, wait)
    },
    async waitForConnections(count, wait) {
      refuseFailed()
      const find = (): true | undefined => (counts.accepted >= count ? true : undefined)
      await waits.until({ what: `${count} connections`, type: "accepted", find }, wait)
    },
    async waitForHeld(name, wait?: ProxyWait) {
      refuseFailed()
      const barrier = checkedBarrier(name)
      const find = (progress?: ProxyProgress): HeldFrame | undefined => {
        if (progress === undefined) return heldAt(barrier)[0]
        return progress.type === "held" && progress.frame.barriers.includes(barrier) ? progress.frame : undefined
      }
      return waits.until({ what: `a frame at the barrier ${JSON.stringify(barrier)}`, type: "held", find }, wait)
    },
    events() {
      refuseFailed()
      return log.events()
    },
    watch(see) {
      refuseFailed()
      checkOption(aFunction, see, "what sees events")
      return log.watch(see)
    },
    recording() {
      refuseFailed()
      return room.recorder?.recording() ?? null
    },
    stop,
    [Symbol.asyncDispose]: stop
  }
  return {
    proxy,
    lost(reason) {
      failure = reason
    },
    closed: (connection) => past.push(connectionReport(connection)),
    stopped
  }
}

/** `null` for all of them. One that is still to come may be named too. */
const checkedConnection = (id: number | undefined): number | null => {
  if (id === undefined) return null
  checkOption(whole(1, Number.MAX_SAFE_INTEGER), id, "the connection")
  return id
}

const checkedDirection = readWhole(
  (name) => readDirection(name, ""),
  "direction",
  (message) => new InvalidOption(message)
)

const checkedBarrier = readWhole(
  (name) => readBarrier(name, ""),
  "barrier",
  (message) => new InvalidOption(message)
)

const urlOf = (address: StreamAddress): string | null => {
  if (address.kind === "unix") return null
  return `http://${address.host.includes(":") ? `[${address.host}]` : address.host}:${address.port}`
}
