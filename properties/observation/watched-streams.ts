import type { Clock } from "../../src/kernel/clock.ts"
import type { SocketReport, StreamAddress, StreamPort, StreamSocket } from "../../src/ports/stream-port.ts"

/** Bytes that were written to a socket or came from it. */
export interface SeenBytes {
  readonly bytes: Uint8Array
  readonly atMs: number
}

/** One socket of a proxy, as seen from the port. */
export interface ProxySocket {
  /** Counted from 1, in the order in which clients were accepted. */
  readonly connection: number
  readonly side: "client" | "upstream"
  readonly written: ReadonlyArray<SeenBytes>
  readonly writtenBytes: number
  /** How many of them have left. */
  readonly leftBytes: number
  readonly heard: ReadonlyArray<SeenBytes>
  readonly heardBytes: number
  /** Whether who is at its other end has ended its side. */
  readonly hasEnded: boolean
  /** When it was destroyed or reset; null when it was not. */
  readonly cutAtMs: number | null
  /** When it was gone. */
  readonly closedAtMs: number | null
  readonly closedBy: string | null
  /** What its holder did that no holder may do. */
  readonly misdeeds: ReadonlyArray<string>
}

/** The streams of a world as a proxy has them. */
export interface WatchedStreams {
  readonly port: StreamPort
  readonly sockets: ReadonlyArray<ProxySocket>
  /** How many clients have been accepted. */
  accepted(): number
}

type Mutable<A> = { -readonly [Key in keyof A]: A[Key] extends ReadonlyArray<infer Item> ? Array<Item> : A[Key] }

/**
 * Watches what a proxy does with its sockets. Its connection number n is led to an upstream of its own, `upstreamOf(n)`, so that it is known
 * who is at its end; `accepted` is told when a client has been accepted.
 */
export const watchStreams = (
  { streams, clock }: { readonly streams: StreamPort; readonly clock: Clock },
  upstreamOf: (connection: number) => StreamAddress,
  accepted: () => void
): WatchedStreams => {
  const sockets: Array<ProxySocket> = []
  let clients = 0
  let connects = 0

  const watch = (socket: StreamSocket, connection: number, side: ProxySocket["side"]) => {
    const seen: Mutable<ProxySocket> = {
      connection,
      side,
      written: [],
      writtenBytes: 0,
      leftBytes: 0,
      heard: [],
      heardBytes: 0,
      hasEnded: false,
      cutAtMs: null,
      closedAtMs: null,
      closedBy: null,
      misdeeds: []
    }
    sockets.push(seen)
    let hasEnded = false
    let isWriting = false
    const cut = (act: () => void): void => {
      seen.cutAtMs ??= clock.now()
      act()
    }
    const watched: StreamSocket = {
      ...socket,
      write(bytes, done) {
        if (seen.cutAtMs !== null) seen.misdeeds.push("wrote behind a cut")
        if (hasEnded) seen.misdeeds.push("wrote behind the end")
        if (isWriting) seen.misdeeds.push("wrote while a write was waiting")
        const before = bytes.slice()
        seen.written.push({ bytes: before, atMs: clock.now() })
        seen.writtenBytes += bytes.length
        isWriting = true
        const hasLeft = socket.write(bytes, (problem) => {
          if (!hasLeft) {
            isWriting = false
            if (problem === null) seen.leftBytes += before.length
          }
          if (Buffer.compare(before, bytes) !== 0) seen.misdeeds.push("changed what was being written")
          done(problem)
        })
        isWriting = !hasLeft
        if (hasLeft) seen.leftBytes += before.length
        return hasLeft
      },
      end() {
        if (isWriting) seen.misdeeds.push("ended while a write was waiting")
        hasEnded = true
        socket.end()
      },
      destroy: () => cut(socket.destroy),
      reset: () => cut(socket.reset)
    }
    const reported = (report: SocketReport): SocketReport => ({
      received(bytes) {
        seen.heard.push({ bytes, atMs: clock.now() })
        seen.heardBytes += bytes.length
        report.received(bytes)
      },
      ended() {
        seen.hasEnded = true
        report.ended()
      },
      closed(problem) {
        seen.closedAtMs = clock.now()
        seen.closedBy = problem
        report.closed(problem)
      }
    })
    return { watched, reported }
  }

  return {
    sockets,
    accepted: () => clients,
    port: {
      ...streams,
      listen: (address, report) =>
        streams.listen(address, {
          ...report,
          accepted(socket) {
            const { watched, reported } = watch(socket, ++clients, "client")
            const made = reported(report.accepted(watched))
            accepted()
            return made
          }
        }),
      connect(_, report) {
        const connection = ++connects
        return streams.connect(upstreamOf(connection), {
          ...report,
          opened(socket) {
            const { watched, reported } = watch(socket, connection, "upstream")
            return reported(report.opened(watched))
          }
        })
      }
    }
  }
}
