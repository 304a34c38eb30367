import { breach, firstBreach, type Judged, type Monitor } from "./monitor.ts"

interface Opened {
  readonly kind: string
  readonly resource: string
  readonly actor: string
  readonly since: number
  readonly madeAt: string | null
}

interface ResourceState extends Judged {
  readonly open: Map<string, Opened>
}

/** In this order they name a failure, so that it stays the same one when a shrunk run leaves fewer behind. */
const kinds: ReadonlyArray<string> = [
  "request",
  "connection",
  "pair",
  "process",
  "socket",
  "listener",
  "interval",
  "timer",
  "detached-fiber",
  "fiber"
]

const namedMax = 10

/**
 * When a run ends everything that was opened is closed: sockets, listeners, timers, fibers, and whatever else is counted.
 *
 * @since 0.1.0
 * @category oracles
 */
export const resourcesClosed = (): Monitor<ResourceState> => ({
  name: "resources",
  init: () => ({ breach: undefined, open: new Map() }),
  on(event, state) {
    if (event.type === "resource.opened") {
      const { kind, resource, actor, at, since = at, madeAt = null } = event
      state.open.set(`${kind} ${resource}`, { kind, resource, actor, since, madeAt })
    }
    if (event.type === "resource.closed") state.open.delete(`${event.kind} ${event.resource}`)
    if (event.type === "run.ended") judgeLeft([...state.open.values()], state)
    return state
  },
  fail: firstBreach
})

const judgeLeft = (left: ReadonlyArray<Opened>, state: ResourceState): void => {
  const kind = kinds.find((known) => left.some((one) => one.kind === known)) ?? left.map((one) => one.kind).sort()[0]
  if (kind === undefined) return
  const named = left.slice(0, namedMax).map(nameOf)
  const more = left.length > namedMax ? ` and ${left.length - namedMax} more` : ""
  breach(
    state,
    `${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind} is left open`,
    `left open at the end: ${named.join(", ")}${more}`
  )
}

const nameOf = ({ kind, resource, actor, since, madeAt }: Opened): string =>
  `${kind} ${resource} (${actor}, since ${since} ms${madeAt === null ? "" : `, made at ${madeAt}`})`
