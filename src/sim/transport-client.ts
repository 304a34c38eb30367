import type { ClientWatch } from "./client-watch.ts"
import type { LinkEnd } from "./link.ts"
import type { Dial, LinkNetwork } from "./link-network.ts"
import {
  type ClientCall,
  type ClientConnection,
  type ClientPool,
  type ClientRequest,
  type ClientWatcher,
  startCall
} from "./transport-call.ts"
import { connectError, transportErrors } from "./transport-errors.ts"
import type { HttpMessage } from "./transport-messages.ts"

/** Of undici. */
export const connectMsDefault = 10_000

/** How long a client waits, in milliseconds, 0 being without end; the defaults are those of undici. */
export interface ClientTimeouts {
  /** For a connection. Default 10,000. */
  readonly connectMs?: number
  /** For the head of an answer. Default 300,000. */
  readonly headersMs?: number
  /** Between two pieces of a body. Default 300,000. */
  readonly bodyMs?: number
  /** Before it closes a connection that nothing uses. Default 4,000, or 2,000 less than the server says. */
  readonly idleMs?: number
}

/**
 * A client of simulated HTTP: it keeps connections, one request on each at a time, and opens another one when none is free.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface MessageClient {
  readonly name: string
  send(request: ClientRequest, watcher: ClientWatcher): ClientCall
  /** Connections that are open. */
  connections(): number
  /** Closes every connection; what is in progress fails with `error`. */
  destroy(error: Error): void
}

const servedOverBytes =
  "this address is served over bytes; reach it by new Agent({ connect: sim.connector(client) }) of undici"

/** A connection in the pool, and where it leads. */
interface Pooled extends ClientConnection {
  readonly key: string
  forgetIdle: () => void
}

/** @since 0.1.0 @category constructors */
export const makeMessageClient = (
  network: LinkNetwork<HttpMessage>,
  name: string,
  { timeouts = {}, watch = null }: { readonly timeouts?: ClientTimeouts; readonly watch?: ClientWatch | null } = {}
): MessageClient => {
  const pool = makePool(network, name, timeouts)
  const calls = new Set<{ fail(error: Error): void }>()
  return {
    name,
    send(request, watcher) {
      const { host, port, isSecure = false } = request
      const dial = { client: name, host, port, isSecure }
      const seen = watch?.sent(name, request) ?? null
      const call = startCall(pool, { dial, request, watcher, watch: seen, over: () => calls.delete(call) })
      calls.add(call)
      return call
    },
    connections: () => pool.open.size,
    destroy(error) {
      for (const call of [...calls]) call.fail(error)
      for (const connection of [...pool.open]) pool.drop(connection)
    }
  }
}

const makePool = (
  network: LinkNetwork<HttpMessage>,
  name: string,
  { connectMs = connectMsDefault, headersMs = 300_000, bodyMs = 300_000, idleMs = 4_000 }: ClientTimeouts
): ClientPool & { readonly open: ReadonlySet<ClientConnection> } => {
  const { kernel } = network
  const open = new Map<ClientConnection, Pooled>()

  const arm = (ms: number, label: string, fire: () => void): (() => void) =>
    ms === 0 ? () => {} : kernel.plan(ms, { kind: "timer", label, actor: name }, fire)

  const drop = (connection: ClientConnection): void => {
    open.get(connection)?.forgetIdle()
    open.delete(connection)
    connection.end.close()
  }

  const adopt = (dial: Dial, end: LinkEnd<HttpMessage>): ClientConnection => {
    const connection: Pooled = { key: keyOf(dial), end, user: null, forgetIdle: () => {} }
    const lost = (error: () => Error): void => {
      const { user } = connection
      drop(connection)
      user?.lost(error())
    }
    open.set(connection, connection)
    end.read({
      data(message) {
        // Nobody asked: what comes on a connection that waits ends it.
        if (connection.user === null) drop(connection)
        else if (message.kind === "response") connection.user.take(message)
      },
      fin: () => lost(transportErrors.otherSideClosed),
      rst: () => lost(transportErrors.reset)
    })
    return connection
  }

  return {
    connectMs,
    headersMs,
    bodyMs,
    now: kernel.now,
    arm,
    drop,
    get open() {
      return new Set(open.keys())
    },
    free(dial) {
      const key = keyOf(dial)
      for (const connection of open.values()) {
        if (connection.key !== key || connection.user !== null) continue
        connection.forgetIdle()
        return connection
      }
      return undefined
    },
    connect: (dial, { opened, failed }) =>
      network.connect(dial, {
        opened: (end) => opened(adopt(dial, end)),
        failed: (why) => failed(connectError(why, dial, servedOverBytes))
      }),
    release(connection, keepAlive) {
      const pooled = open.get(connection)
      if (pooled === undefined) return
      pooled.user = null
      pooled.end.resume()
      const told = /timeout=\s*(\d+)/i.exec(keepAlive ?? "")?.[1]
      const ms = told === undefined ? idleMs : Number(told) * 1_000 - 2_000
      if (told !== undefined && ms <= 0) drop(connection)
      else pooled.forgetIdle = arm(ms, "net/idle", () => drop(connection))
    }
  }
}

const keyOf = ({ host, port, isSecure = false }: Dial): string => `${host}:${port}${isSecure ? " TLS" : ""}`
