import type { RequestHead } from "../domain/request.ts"
import type { Sink } from "../kernel/sink.ts"

/**
 * A server of HTTP as both worlds offer it. Everything it reports, it reports from outside any step of the supervisor.
 *
 * @since 0.1.0
 * @category services
 */
export interface HttpPort {
  /** Starts listening; exactly one of `bound` and `failed` follows, `lost` whenever the last connection went away. */
  listen(address: ListenAddress, app: HttpApp, report: ListenReport): Listening
}

/** `port` 0 lets the system choose. */
export interface ListenAddress {
  readonly host: string
  readonly port: number
}

/** What a port reports, from outside any step of the supervisor. */
export interface ListenReport {
  bound(address: ListenAddress): void
  failed(reason: string): void
  /** No connection is left. */
  lost(): void
  /** Somebody tried to connect while nothing listened. Live, only the operating system knows. */
  refused?(): void
}

/** A port in use. Every method may be called at any time, also twice. */
export interface Listening {
  /** Stops accepting; connections go on. */
  unbind(): void
  /** Ends the connections that are between two requests, now, and each other one when its answer is out. */
  closeIdle(): void
  /** How many connections are open. */
  connections(): number
}

/** What serves the connections of a port. */
export interface HttpApp {
  /** A connection was accepted; `destroy` ends it at once. */
  connected(destroy: () => void): HttpConnection
}

/** One connection, as its server sees it. */
export interface HttpConnection {
  /** The head of a request is there; what it gives takes the rest. */
  open(head: RequestHead, sink: Sink): Exchange
  /** The connection is gone, whoever ended it. */
  closed(): void
}

/** One request and its answer. */
export interface Exchange {
  /** How much body is read, in bytes; `null` when the answer does not wait for it. */
  readonly bodyBytesMax: number | null
  /** The whole body is there. */
  received(body: Uint8Array): void
  /** The body is longer than `bodyBytesMax`. */
  tooLarge(): void
  /** What the sink was given has left. */
  written(): void
  /** The client of this exchange left before its end. */
  gone(): void
}
