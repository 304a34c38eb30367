import { pathBytes } from "../domain/socket-path.ts"

/**
 * Sockets that carry a stream of bytes, as both worlds offer them: between processes of one machine, by the path of a Unix socket
 * or by a port of loopback. Everything is reported from outside any call to them and any step of the supervisor.
 *
 * **Source** agent-harness.md, section 6.1
 *
 * @since 0.1.0
 * @category services
 */
export interface StreamPort {
  /** How many bytes the path of a socket may have. */
  readonly pathBytesMax: number
  /**
   * Starts listening; exactly one of `bound` and `failed` follows, unless it is closed before. At a path where something stands that
   * is no socket, or a socket on which somebody accepts connections, nothing is touched; a socket that nobody serves is replaced.
   */
  listen(address: StreamAddress, report: ListenerReport): StreamListener
  /** Connects; exactly one of `opened` and `failed` follows. What it gives gives up: nothing is reported any more. */
  connect(address: UpstreamAddress, report: ConnectReport): () => void
  /** What is open now. */
  open(): OpenStreams
}

/** How many listeners there are, and ends of connections. */
export interface OpenStreams {
  readonly listeners: number
  readonly connections: number
}

/** Where somebody listens. The host is a name or address of loopback; `port` 0 lets the system choose where one listens. */
export type StreamAddress =
  | { readonly kind: "unix"; readonly path: string }
  | { readonly kind: "tcp"; readonly host: string; readonly port: number }

/** Where one connects to: also an address of a TLS server, whose certificate is checked against the host. */
export type UpstreamAddress = StreamAddress | { readonly kind: "tls"; readonly host: string; readonly port: number }

/**
 * Why there is no listener or no connection: `missing` that nothing stands at the path, or not even the folder that it is in;
 * `refused` that nobody serves the address; `in use` that somebody does; `no socket` that something else stands there.
 */
export type StreamProblem = {
  /** The code of the system, as in `ECONNREFUSED`; `null` where it gave none. */
  readonly code: string | null
  readonly reason: string
} & (
  | { readonly kind: "missing" | "refused" | "not allowed" | "in use" | "no socket" | "other" }
  | { readonly kind: "path too long"; readonly bytes: number; readonly limit: number }
)

/** What a listener reports. */
export interface ListenerReport {
  /** It listens; the address has the real port. */
  bound(address: StreamAddress): void
  failed(problem: StreamProblem): void
  /** Somebody has connected. What it gives hears of the connection. */
  accepted(socket: StreamSocket): SocketReport
  /** It accepts nobody any more, by a failure of the system; connections go on. */
  lost(problem: StreamProblem): void
}

/** A listener. */
export interface StreamListener {
  /**
   * Stops listening, and removes the file of the socket; connections go on. `done` is called once, when connecting fails. May be
   * called at any time, also twice.
   */
  close(done: () => void): void
}

/** What comes of a connect. */
export interface ConnectReport {
  opened(socket: StreamSocket): SocketReport
  failed(problem: StreamProblem): void
}

/** What is reported of a connection. `closed` comes exactly once, and last. */
export interface SocketReport {
  received(bytes: Uint8Array): void
  /** The other side sends no more. */
  ended(): void
  /** The connection is gone: with a code as in `ECONNRESET`, or `null` when both sides had ended or it was closed here. */
  closed(problem: string | null): void
}

/** One end of a connection. Every method may be called at any time, also when it is gone. */
export interface StreamSocket {
  /**
   * Sends bytes, which are not to be changed until `done` is called: once, with what went wrong, or with `null` when the bytes have
   * left, for which they may have to wait until the other side reads. **Gives** whether they have left at once.
   */
  write(bytes: Uint8Array, done: (problem: string | null) => void): boolean
  /** Sends no more behind what was written, and goes on reading. */
  end(): void
  /** Closes both directions at once: what waits to be sent is lost, and nothing but `closed` is reported any more. */
  destroy(): void
  /** The same, and the other side sees a reset where its sockets have that; a Unix socket is destroyed. */
  reset(): void
  /** Stops reading: the other side will have to wait. What is under way may still be reported. */
  pause(): void
  resume(): void
}

/**
 * Whether somebody accepts connections at an address: connects, and leaves at once.
 *
 * **Gives** what gives up, after which nothing is told; it has no deadline of its own
 *
 * @since 0.1.0
 * @category streams
 */
export const acceptsConnection = (
  streams: Pick<StreamPort, "connect">,
  address: StreamAddress,
  told: (accepts: boolean) => void
): (() => void) =>
  streams.connect(address, {
    opened(socket) {
      socket.destroy()
      told(true)
      return { received: () => {}, ended: () => {}, closed: () => {} }
    },
    failed: () => told(false)
  })

/** Whether a host is this machine, whatever others there are. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host)

/** Why an address cannot be used at all; `null` where it can. `outside` is the one address that may be no loopback address. */
export const addressProblem = (
  address: UpstreamAddress,
  pathBytesMax: number,
  outside: UpstreamAddress | null = null
): StreamProblem | null => {
  if (address.kind !== "unix") {
    if (isLoopback(address.host) || (outside !== null && isSameHost(address, outside))) return null
    return { kind: "not allowed", code: null, reason: `${address.host} is no loopback address` }
  }
  const bytes = pathBytes(address.path)
  if (bytes <= pathBytesMax) return null
  const reason = `the path has ${bytes} bytes, and at most ${pathBytesMax} are allowed`
  return { kind: "path too long", code: null, reason, bytes, limit: pathBytesMax }
}

const isSameHost = (address: Exclude<UpstreamAddress, { readonly kind: "unix" }>, other: UpstreamAddress): boolean =>
  other.kind === address.kind && other.host === address.host && other.port === address.port

/** An address as it is written. */
export const streamAddressText = (address: UpstreamAddress): string =>
  address.kind === "unix" ? address.path : `${address.host}:${address.port}`
