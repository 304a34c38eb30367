import { existsSync, linkSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { liveClock } from "../../src/live/clock.ts"
import { makeLiveStreams } from "../../src/live/stream-sockets.ts"
import type { SocketReport, StreamPort } from "../../src/ports/stream-port.ts"
import type { StreamWorld } from "./stream-world.ts"

/** Sockets of which none outlives its test. Calls `active` whenever bytes come. */
const ownStreams = (active: () => void): StreamPort => {
  const streams = makeLiveStreams()
  const ends: Array<() => void> = []
  const telling = (report: SocketReport): SocketReport => ({
    ...report,
    received(bytes) {
      active()
      report.received(bytes)
    }
  })
  onTestFinished(() => {
    for (const end of ends) end()
  })
  return {
    ...streams,
    listen(address, report) {
      const listener = streams.listen(address, {
        ...report,
        accepted(socket) {
          ends.push(socket.destroy)
          return telling(report.accepted(socket))
        }
      })
      ends.push(() => listener.close(() => {}))
      return listener
    },
    connect: (address, report) =>
      streams.connect(address, {
        ...report,
        opened(socket) {
          ends.push(socket.destroy)
          return telling(report.opened(socket))
        }
      })
  }
}

/** So many turns of the loop in which nothing came: what is written to a socket of this machine is there at once. */
const quietTurns = 100

/** The sockets of this machine; none outlives the test. */
export const liveStreamWorld = (): StreamWorld => {
  const folder = mkdtempSync(join(tmpdir(), "us-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  let paths = 0
  let idleTurns = 0
  const freshPath = (): string => join(folder, `${++paths}.sock`)
  return {
    streams: ownStreams(() => {
      idleTurns = 0
    }),
    clock: liveClock,
    freshPath,
    putStale: (path) =>
      new Promise((resolve) => {
        const served = freshPath()
        const server = createServer()
        server.listen(served, () => {
          // The other name of the socket stays when its server goes.
          linkSync(served, path)
          server.close(() => resolve())
        })
      }),
    putFile: (path) => writeFileSync(path, "text"),
    isThere: existsSync,
    settled: (promise) => promise,
    async quiet() {
      for (idleTurns = 0; idleTurns < quietTurns; idleTurns++) await new Promise(setImmediate)
    }
  }
}
