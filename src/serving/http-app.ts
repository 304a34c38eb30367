import { withoutBody } from "../domain/compose-plan.ts"
import type { Plan } from "../domain/plan.ts"
import type { RequestHead } from "../domain/request.ts"
import type { Sink } from "../kernel/sink.ts"
import type { Exchange, HttpApp, HttpConnection } from "../ports/http-port.ts"
import type { Lifetime } from "../supervisor/lifetime.ts"
import type { Supervisor } from "../supervisor/supervisor.ts"
import { type Copy, type CopyWatcher, startCopy } from "./copy.ts"
import { makeQueueRoom, type QueueRoom } from "./queue-room.ts"

/** The body of a request as far as it was wanted. */
export type BodyRead =
  | { readonly kind: "none" }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "tooLarge" }

/** An answer is a plan and who is told how it goes. */
export interface Answer {
  readonly plan: Plan
  readonly watcher: CopyWatcher
  /** The copy that carries it out, as soon as it exists. */
  readonly started: (copy: Copy) => void
}

/** Where a request goes: how much of its body is wanted, and what is decided then, in one step of the supervisor. */
export interface Route {
  readonly bodyBytesMax: number | null
  decide(body: BodyRead): Answer
  /** The answer to a request over which the server itself stumbled. */
  stumbled(error: unknown): Answer
}

/** An app with what its listener needs to close it. */
export interface ServedApp extends HttpApp {
  /** Ends every response, then every connection; `ended` is called in the step after. */
  endAll(ended: () => void): void
  /** Copies in progress. */
  copies(): ReadonlySet<Copy>
}

/**
 * Serves connections: each owns a lifetime, each request on it becomes a copy under the supervisor. What is answered is
 * decided when a request is there; the copy of one that stands behind others begins when its turn comes, and a connection
 * whose waiting answers are too much is ended.
 *
 * @since 0.1.0
 * @category serving
 */
export const makeHttpApp = (options: {
  readonly supervisor: Supervisor
  readonly lifetime: Lifetime
  readonly route: (head: RequestHead) => Route
}): ServedApp => {
  const { supervisor, lifetime, route } = options
  const copies = new Set<Copy>()
  const room = makeQueueRoom()

  const connected = (destroy: () => void): HttpConnection => {
    const open = new Set<Exchange>()
    const life = lifetime.fork(destroy)
    return {
      open(head, sink) {
        const exchange = startExchange({
          supervisor,
          copies,
          room,
          head,
          sink,
          route: route(head),
          over: () => open.delete(exchange),
          crowded: () => life.end()
        })
        open.add(exchange)
        exchange.begin()
        return exchange
      },
      closed() {
        for (const exchange of [...open]) exchange.gone()
        life.end()
      }
    }
  }

  const endAll = (ended: () => void): void => {
    for (const copy of [...copies]) supervisor.deliver(copy, { type: "server.killed" })
    // Not as a finalizer: those run last in, first out, and the event has to come before everything is released.
    supervisor.run(() => lifetime.end())
    supervisor.run(ended)
  }
  return { connected, endAll, copies: () => copies }
}

const startExchange = (options: {
  readonly supervisor: Supervisor
  readonly copies: Set<Copy>
  readonly room: QueueRoom
  readonly head: RequestHead
  readonly sink: Sink
  readonly route: Route
  readonly over: () => void
  /** There is no room for one more answer that waits. */
  readonly crowded: () => void
}): Exchange & { begin(): void } => {
  const { supervisor, copies, room, head, sink, route } = options
  let copy: Copy | null = null
  let isOver = false
  let leaveQueue = (): void => {}
  const over = (): void => {
    isOver = true
    leaveQueue()
    if (copy !== null) copies.delete(copy)
    options.over()
  }
  const decide = (body: BodyRead): void =>
    supervisor.run(() => {
      if (isOver || copy !== null) return
      const answer = decided(route, body)
      const plan = head.method === "HEAD" ? withoutBody(answer.plan) : answer.plan
      const isQueued = sink.awaitTurn?.(turn) ?? false
      copy = startCopy(plan, { supervisor, sink, watcher: answer.watcher, over }, isQueued)
      copies.add(copy)
      answer.started(copy)
      if (isQueued) queue(plan)
    })
  const queue = (plan: Plan): void => {
    const leave = room.enter(plan)
    if (leave === null) options.crowded()
    else leaveQueue = leave
  }
  const turn = (comes: boolean): void =>
    supervisor.run(() => {
      leaveQueue()
      tell(comes ? "turn.begun" : "client.gone")
    })
  const tell = (type: "turn.begun" | "socket.written" | "client.gone"): void => {
    if (isOver) return
    if (copy !== null) supervisor.deliver(copy, { type })
    else if (type === "client.gone") over()
  }
  return {
    bodyBytesMax: route.bodyBytesMax,
    begin() {
      if (route.bodyBytesMax === null) decide({ kind: "none" })
    },
    received: (bytes) => decide({ kind: "bytes", bytes }),
    tooLarge: () => decide({ kind: "tooLarge" }),
    written: () => tell("socket.written"),
    gone: () => tell("client.gone")
  }
}

/** A request that the server cannot handle ends with an answer that says so; the others go on. */
const decided = (route: Route, body: BodyRead): Answer => {
  try {
    return route.decide(body)
  } catch (error) {
    return route.stumbled(error)
  }
}
