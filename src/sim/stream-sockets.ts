import { socketPathBytesMax } from "../domain/socket-path.ts"
import type { Choice } from "../kernel/choice.ts"
import type { Clock } from "../kernel/clock.ts"
import {
  addressProblem,
  type ListenerReport,
  type StreamAddress,
  type StreamListener,
  type StreamPort,
  type StreamProblem,
  type StreamSocket,
  streamAddressText,
  type UpstreamAddress
} from "../ports/stream-port.ts"
import { makeSocketPaths, type SocketPaths } from "./socket-paths.ts"
import { makeStreamLink } from "./stream-link.ts"

/** A simulated machine's sockets. */
export interface SimStreamOptions {
  readonly clock: Clock
  /** Answers how long things take, and how bytes are cut. Labels begin with `stream/`. */
  readonly choice: Choice
  /** The file system that sockets stand in. Default: one of their own. */
  readonly paths?: SocketPaths
  /** Default: that of Linux. */
  readonly pathBytesMax?: number
  /** Bytes on the way or unread, at which a sender has to wait. Default 65,536. */
  readonly windowBytes?: number
}

/** Sockets of a simulated machine, and what can be done to them from outside. */
export interface SimStreams {
  readonly port: StreamPort
  /** The process that listens there is gone: its connections are closed, and the file of its socket stays. */
  crash(address: StreamAddress): void
}

interface Served {
  readonly report: ListenerReport
  /** Ends of connections that it has accepted. */
  readonly accepted: Set<StreamSocket>
}

/** How long things take; the calm choice is nothing. */
const delaysMs = [0, 1, 7, 40] as const

const windowBytesDefault = 65_536

/** Ports that are chosen begin here. */
const firstPort = 9_001

/** All names of loopback are one host; TLS is as TCP. */
const keyOf = (address: UpstreamAddress): string =>
  address.kind === "unix" ? address.path : streamAddressText({ ...address, host: "localhost" })

/** @since 0.1.0 @category simulation */
export const makeSimStreams = (options: SimStreamOptions): SimStreams => {
  const { clock, choice, paths = makeSocketPaths(), windowBytes = windowBytesDefault } = options
  const { pathBytesMax = socketPathBytesMax("linux") } = options
  const served = new Map<string, Served>()
  let nextPort = firstPort
  let connections = 0
  const delay = (label: string): number => delaysMs[choice.draw(delaysMs.length, label)] ?? 0

  const bind = (address: StreamAddress, report: ListenerReport): StreamProblem | { readonly bound: StreamAddress } => {
    const problem = addressProblem(address, pathBytesMax) ?? placeProblem(address)
    if (problem !== null) return problem
    const bound = address.kind === "tcp" && address.port === 0 ? { ...address, port: choosePort() } : address
    served.set(keyOf(bound), { report, accepted: new Set() })
    return { bound }
  }

  const placeProblem = (address: StreamAddress): StreamProblem | null => {
    const where = streamAddressText(address)
    if (served.has(keyOf(address))) return { kind: "in use", code: "EADDRINUSE", reason: `${where} is served` }
    if (address.kind === "tcp") return null
    if (paths.kindAt(address.path) === "other") {
      return { kind: "no socket", code: "EADDRINUSE", reason: `${where} is there, and is no socket` }
    }
    if (paths.putSocket(address.path)) return null
    return { kind: "missing", code: "ENOENT", reason: `there is no folder for ${where}` }
  }

  const choosePort = (): number => {
    while (served.has(keyOf({ kind: "tcp", host: "localhost", port: nextPort }))) nextPort++
    return nextPort++
  }

  const listen = (asked: StreamAddress, report: ListenerReport): StreamListener => {
    let bound: StreamAddress | null = null
    const forget = clock.arm(delay("stream/listen"), "stream/listen", () => {
      const outcome = bind(asked, report)
      if (!("bound" in outcome)) return report.failed(outcome)
      bound = outcome.bound
      report.bound(bound)
    })
    const leave = (): void => {
      forget()
      // Another may listen there by now, where this one was ended by a crash.
      if (bound === null || served.get(keyOf(bound))?.report !== report) return
      served.delete(keyOf(bound))
      if (bound.kind === "unix") paths.removeSocket(bound.path)
    }
    return {
      close(done) {
        leave()
        clock.arm(delay("stream/unbound"), "stream/unbound", done)
      }
    }
  }

  const whyNot = (address: UpstreamAddress): StreamProblem => {
    const isMissing = address.kind === "unix" && paths.kindAt(address.path) === "nothing"
    const code = isMissing ? "ENOENT" : "ECONNREFUSED"
    return { kind: isMissing ? "missing" : "refused", code, reason: `connect ${code} ${streamAddressText(address)}` }
  }

  const connect: StreamPort["connect"] = (address, report) => {
    let isOver = false
    let own: StreamSocket | null = null
    const unlessOver = (label: string, act: () => void): void => {
      clock.arm(delay(label), label, () => {
        if (!isOver) act()
      })
    }
    unlessOver("stream/connect", () => {
      const listener = served.get(keyOf(address))
      const problem = addressProblem(address, pathBytesMax) ?? (listener === undefined ? whyNot(address) : null)
      if (problem !== null || listener === undefined) {
        isOver = true
        if (problem !== null) report.failed(problem)
        return
      }
      connections += 2
      const { near, far } = makeStreamLink(
        { clock, choice, windowBytes, delay, canReset: address.kind !== "unix" },
        () => {
          connections -= 2
          listener.accepted.delete(far.socket)
        }
      )
      own = near.socket
      listener.accepted.add(far.socket)
      unlessOver("stream/opened", () => {
        isOver = true
        near.attach(report.opened(near.socket))
      })
      far.attach(listener.report.accepted(far.socket))
    })
    return () => {
      if (isOver) return
      isOver = true
      own?.destroy()
    }
  }

  return {
    port: { pathBytesMax, listen, connect, open: () => ({ listeners: served.size, connections }) },
    crash(address) {
      const listener = served.get(keyOf(address))
      served.delete(keyOf(address))
      for (const socket of listener?.accepted ?? []) socket.destroy()
    }
  }
}
