import {
  addressProblem,
  type ConnectReport,
  type SocketReport,
  type StreamPort,
  type StreamProblem,
  type StreamSocket,
  streamAddressText,
  type UpstreamAddress
} from "../ports/stream-port.ts"
import type { ByteEnd } from "./byte-pair.ts"
import type { ConnectFailure, LinkNetwork } from "./link-network.ts"

/** A network of ports has no Unix sockets, whose paths would be of any length. */
const pathBytesMax = Number.MAX_SAFE_INTEGER

const noPaths: StreamProblem = {
  kind: "other",
  code: null,
  reason: "this simulated network has ports and no Unix sockets; give tcp:127.0.0.1:0 and the like"
}

/**
 * The ports of a simulated network as stream sockets, for programs of ours that take those.
 *
 * **Takes** the name in which it connects
 *
 * @since 0.1.0
 * @category simulation
 */
export const linkStreams = (network: LinkNetwork<Uint8Array>, client: string): StreamPort => {
  const { kernel } = network
  const ends = new Set<ByteEnd>()
  let listeners = 0

  /** Nothing is told within the call that asks for it. */
  const later = (label: string, act: () => void): (() => void) =>
    kernel.plan(0, { kind: "task", label, actor: client, isPrompt: true }, act)

  const serve = (end: ByteEnd, report: (socket: StreamSocket) => SocketReport): void => {
    ends.add(end)
    serveEnd(end, { later, report, gone: () => ends.delete(end) })
  }

  return {
    pathBytesMax,
    listen(asked, report) {
      if (asked.kind === "unix") {
        const forget = later("stream/listen", () => report.failed(noPaths))
        return {
          close(done) {
            forget()
            later("stream/unbound", done)
          }
        }
      }
      listeners += 1
      const { unbind } = network.listen(asked, {
        bound: ({ host, port }) => report.bound({ kind: "tcp", host, port }),
        failed(reason) {
          listeners -= 1
          report.failed({ kind: "in use", code: "EADDRINUSE", reason })
        },
        accept: (end) => serve(end, report.accepted)
      })
      let isOpen = true
      return {
        close(done) {
          if (isOpen) {
            listeners -= 1
            unbind()
          }
          isOpen = false
          later("stream/unbound", done)
        }
      }
    },
    connect(address, report: ConnectReport) {
      if (address.kind === "unix") return later("stream/failed", () => report.failed(noPaths))
      const problem = addressProblem(address, pathBytesMax)
      if (problem !== null) return later("stream/failed", () => report.failed(problem))
      return network.connect(
        { client, host: address.host, port: address.port },
        {
          opened: (end) => serve(end, report.opened),
          failed: (why) => report.failed(refusal(why, address))
        }
      )
    },
    open: () => ({ listeners, connections: ends.size })
  }
}

const refusal = (why: ConnectFailure, address: UpstreamAddress): StreamProblem => {
  const where = streamAddressText(address)
  if (why === "elsewhere")
    return { kind: "other", code: null, reason: `${where} is served over messages; start its server over: "bytes"` }
  return { kind: "refused", code: "ECONNREFUSED", reason: `connect ECONNREFUSED ${where}` }
}

/** Hands out an end of a connection as a socket. */
const serveEnd = (
  end: ByteEnd,
  {
    later,
    report: opened,
    gone
  }: {
    readonly later: (label: string, act: () => void) => () => void
    readonly report: (socket: StreamSocket) => SocketReport
    readonly gone: () => void
  }
): void => {
  let isOver = false
  let hasReadEnd = false
  let hasSentEnd = false
  let isEnding = false
  /** Writes behind the one that the reader has no room for, and what that one tells. */
  const waiting: Array<{ readonly bytes: Uint8Array; readonly done: (problem: string | null) => void }> = []
  let unread: ((problem: string | null) => void) | null = null

  const finish = (problem: string | null): void => {
    if (isOver) return
    isOver = true
    gone()
    later("stream/closed", () => {
      unread?.(problem ?? "closed")
      for (const { done } of waiting) done(problem ?? "closed")
      report.closed(problem)
    })
  }

  const sendEnd = (): void => {
    hasSentEnd = true
    end.finish()
    if (hasReadEnd) finish(null)
  }

  const sendWaiting = (): void => {
    while (unread === null && !isOver) {
      const next = waiting.shift()
      if (next === undefined) break
      const { bytes, done } = next
      if (end.send(bytes, bytes.byteLength)) later("stream/left", () => done(null))
      else unread = done
    }
    if (isEnding && !hasSentEnd && unread === null && !isOver) sendEnd()
  }

  const socket: StreamSocket = {
    write(bytes, done) {
      if (isOver || isEnding) {
        later("stream/refused", () => done(isOver ? "closed" : "ended"))
        return false
      }
      waiting.push({ bytes, done })
      sendWaiting()
      return unread === null
    },
    end() {
      if (isOver || isEnding) return
      isEnding = true
      sendWaiting()
    },
    destroy() {
      if (isOver) return
      end.close()
      finish(null)
    },
    reset() {
      if (isOver) return
      end.reset()
      finish(null)
    },
    pause: end.pause,
    resume: end.resume
  }
  const report = opened(socket)
  end.read({
    data(bytes) {
      if (!isOver) report.received(bytes)
    },
    fin() {
      if (isOver) return
      hasReadEnd = true
      report.ended()
      if (hasSentEnd) finish(null)
    },
    rst: () => finish("ECONNRESET"),
    room() {
      const done = unread
      unread = null
      done?.(null)
      sendWaiting()
    }
  })
}
