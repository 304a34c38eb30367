import { orElse, orNull, type Read, readInteger, refuse } from "../../domain/field-readers.ts"
import { endpointText } from "../endpoint.ts"
import type { FaultProxy, ProxyWait } from "../fault-proxy.ts"
import { type Direction, directions } from "../plan/fault-program.ts"
import { delayMsMax } from "../plan/read-action.ts"
import { readBarrier } from "../plan/read-barrier.ts"
import { readDirection, readEitherDirection, readPlan } from "../plan/read-plan.ts"
import { readRuleId } from "../plan/read-rule-id.ts"
import { writeRule } from "../plan/write-rule.ts"
import { type ControlCommandName, controlCommandNames, controlCommands } from "./control-commands.ts"
import { addRule, type ControlDesk } from "./control-desk.ts"

/** Reads a member of a request. */
export type Field = <A>(name: string, read: Read<A>) => A

type Act = (desk: ControlDesk, field: Field) => unknown

const most = Number.MAX_SAFE_INTEGER
const readCount = readInteger({ least: 0, most })
const readConnection = readInteger({ least: 1, most })
const readLast = orElse(readInteger({ least: 0, most: 10_000 }), 100)
const readMs = readInteger({ least: 0, most: delayMsMax })
const readAnything: Read<unknown> = (value) => value

const needed =
  <A>(read: Read<A>): Read<A> =>
  (value, at) =>
    value === undefined ? refuse(at, "is missing") : read(value, at)

const readDirections: Read<ReadonlyArray<Direction>> = (value, at) => {
  const direction = orElse(readEitherDirection, "both")(value, at)
  return direction === "both" ? directions : [direction]
}

const waitOf = (field: Field): ProxyWait => {
  const ms = field("ms", orNull(readMs))
  return ms === null ? {} : { ms }
}

/** The members that were given, for a reader of the proxy that knows what they may be. */
const given = (field: Field, names: ReadonlyArray<string>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(names.map((name) => [name, field(name, readAnything)]).filter(([, value]) => value !== undefined))

/** So many names are listed in a message. */
const listedMax = 12

const listed = (names: ReadonlyArray<string | number>): string => {
  const rest = names.length - listedMax
  return `${names.slice(0, listedMax).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`
}

const activeOnes = (proxy: FaultProxy): string => {
  const active = proxy.connections().filter(({ state }) => state === "connecting" || state === "piping")
  return active.length === 0 ? "none is" : `active are ${listed(active.map(({ id }) => id))}`
}

const refuseGone = (proxy: FaultProxy, connection: number): never =>
  refuse("connection", `is ${connection}, which is not active; ${activeOnes(proxy)}`)

/**
 * What each command does, and the result that it answers.
 *
 * **Fails** with `FieldRefused`, and as the methods of the proxy do
 *
 * @since 0.1.0
 * @category running
 */
export const controlActs: Readonly<Record<ControlCommandName, Act>> = {
  sever({ proxy }, field) {
    const connection = field("connection", orNull(readConnection))
    if (connection === null) return { severed: proxy.severNow() }
    return proxy.severConnection(connection) ? { severed: 1 } : refuseGone(proxy, connection)
  },
  hold: (desk, field) =>
    desk.hold(
      {
        direction: field("direction", orElse(readEitherDirection, "both")),
        ...given(field, ["match", "connection", "times"])
      },
      field("barrier", orNull(readBarrier))
    ),
  release: (desk, field) => desk.release(field("barrier", orNull(readBarrier))),
  held: ({ proxy }) => ({ held: proxy.held() }),
  partition({ proxy }, field) {
    const cut = field("direction", readDirections)
    proxy.partition(...cut)
    return { partitioned: cut }
  },
  heal({ proxy }, field) {
    const healed = field("direction", readDirections)
    proxy.heal(...healed)
    return { healed }
  },
  pause({ proxy }, field) {
    const paused = field("direction", readDirections)
    const connection = field("connection", orElse(readConnection, undefined))
    for (const direction of paused) proxy.pause(direction, connection)
    return { paused }
  },
  resume({ proxy }, field) {
    const resumed = field("direction", readDirections)
    const connection = field("connection", orElse(readConnection, undefined))
    for (const direction of resumed) proxy.resume(direction, connection)
    return { resumed }
  },
  vanish({ proxy }, field) {
    const connection = field("connection", needed(readConnection))
    return proxy.vanish(connection) ? { vanished: connection } : refuseGone(proxy, connection)
  },
  "rule add": ({ proxy }, field) => ({ rule: addRule(proxy, field("rule", needed(readAnything))) }),
  "rule remove"({ proxy }, field) {
    const rule = field("rule", readRuleId)
    if (proxy.removeRule(rule)) return { removed: rule }
    const ids = proxy.rules().map(({ id }) => id)
    return refuse(
      "rule",
      `is ${JSON.stringify(rule)}, and ${ids.length === 0 ? "there are none" : `there are ${listed(ids)}`}`
    )
  },
  "rule list": ({ proxy }) => ({ rules: proxy.rules().map(writeRule) }),
  plan({ proxy }, field) {
    proxy.setPlan(readPlan(field("plan", needed(readAnything))))
    return { rules: proxy.rules().length }
  },
  stats({ proxy }, field) {
    const last = field("last", readLast)
    const connections = proxy.connections()
    const shown = last === 0 ? [] : connections.slice(-last)
    return {
      listen: endpointText(proxy.address),
      upstream: endpointText(proxy.upstream),
      seed: proxy.seed,
      totals: proxy.totals(),
      forwarded: forwardedOf(proxy),
      held: proxy.held().length,
      rules: proxy.rules().length,
      connections: shown,
      leftOut: connections.length - shown.length
    }
  },
  events({ proxy }, field) {
    const last = field("last", readLast)
    return { events: last === 0 ? [] : proxy.events().slice(-last) }
  },
  "wait forwarded"({ proxy, wait }, field) {
    const direction = field("direction", needed(readDirection))
    const count = field("count", needed(readCount))
    const limit = waitOf(field)
    return wait((signal) => proxy.waitForForwarded(direction, count, { ...limit, signal })).then(() => ({
      forwarded: forwardedOf(proxy)
    }))
  },
  "wait connections"({ proxy, wait }, field) {
    const count = field("count", needed(readCount))
    const limit = waitOf(field)
    return wait((signal) => proxy.waitForConnections(count, { ...limit, signal })).then(() => ({
      accepted: proxy.totals().accepted
    }))
  },
  "wait held"({ proxy, wait }, field) {
    const barrier = field("barrier", readBarrier)
    const limit = waitOf(field)
    return wait((signal) => proxy.waitForHeld(barrier, { ...limit, signal }))
  },
  stop({ stop }) {
    stop()
    return {}
  },
  help: () => ({
    commands: controlCommandNames.map((command) => ({ command, ...controlCommands[command] }))
  })
}

const forwardedOf = (proxy: FaultProxy): Readonly<Record<Direction, number>> => ({
  clientToLeader: proxy.forwarded("clientToLeader"),
  leaderToClient: proxy.forwarded("leaderToClient")
})
