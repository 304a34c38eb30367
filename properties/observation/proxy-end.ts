import type { Clock } from "../../src/kernel/clock.ts"
import type { SocketReport, StreamSocket } from "../../src/ports/stream-port.ts"
import { joined } from "../arbitraries/framed-streams.ts"
import type { EndScene } from "../arbitraries/proxy-scenes.ts"

/** A program at one end of a connection through a proxy, and what it has seen. */
export interface ProxyEnd {
  /** Plays its part, from now on. */
  open(socket: StreamSocket): SocketReport
  bytes(): Uint8Array
  received(): number
  /** In order: `ended`, and `closed` with why. */
  readonly reports: ReadonlyArray<string>
  /** When bytes came, and how many there were then. */
  readonly arrivals: ReadonlyArray<{ readonly bytes: number; readonly atMs: number }>
  isOpen(): boolean
  /** Whether it has nothing to send. */
  readonly isQuiet: boolean
  /** Reads from now on, whatever its part says. */
  readOn(): void
  /** Leaves at once. */
  leave(): void
}

/** An end that sends these bytes as its scene has it; `heard` is told of what comes. */
export const playEnd = (
  clock: Clock,
  { cut, gapsMs, ending, turnsMs }: EndScene,
  bytes: Uint8Array,
  heard: (chunk: Uint8Array) => void = () => {}
): ProxyEnd => {
  const chunks: Array<Uint8Array> = []
  const reports: Array<string> = []
  const arrivals: Array<{ readonly bytes: number; readonly atMs: number }> = []
  let received = 0
  let socket: StreamSocket | null = null
  let isTold = false

  const send = (open: StreamSocket): void => {
    const pieces = cut(bytes)
    const next = (at: number): void => {
      const piece = pieces[at]
      if (piece === undefined) {
        end(open)
        return
      }
      clock.arm(gapsMs[at % gapsMs.length] ?? 0, "end/send", () => {
        open.write(piece, () => {})
        next(at + 1)
      })
    }
    next(0)
  }
  const end = (open: StreamSocket): void => {
    if (ending === "end") open.end()
    if (ending === "destroy") open.destroy()
    if (ending === "reset") open.reset()
  }
  const takeTurns = (open: StreamSocket, at = 0): void => {
    const ms = turnsMs[at]
    if (ms === undefined) return
    clock.arm(ms, "end/turn", () => {
      if (isTold) return
      if (at % 2 === 0) open.pause()
      else open.resume()
      takeTurns(open, at + 1)
    })
  }

  return {
    open(opened) {
      socket = opened
      send(opened)
      takeTurns(opened)
      return {
        received(chunk) {
          chunks.push(chunk.slice())
          received += chunk.length
          arrivals.push({ bytes: received, atMs: clock.now() })
          heard(chunk)
        },
        ended: () => reports.push("ended"),
        closed: (problem) => reports.push(`closed ${problem}`)
      }
    },
    bytes: () => joined(chunks),
    received: () => received,
    reports,
    arrivals,
    isQuiet: bytes.length === 0,
    isOpen: () => socket !== null && !reports.some((report) => report.startsWith("closed")),
    readOn() {
      isTold = true
      socket?.resume()
    },
    leave: () => socket?.destroy()
  }
}
