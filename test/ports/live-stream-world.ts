import { existsSync, linkSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { liveClock } from "../../src/live/clock.ts"
import { makeLiveStreams } from "../../src/live/stream-sockets.ts"
import type { StreamPort } from "../../src/ports/stream-port.ts"
import type { StreamWorld } from "./stream-world.ts"

/** Sockets of which none outlives its test. */
const ownStreams = (): StreamPort => {
  const streams = makeLiveStreams()
  const ends: Array<() => void> = []
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
          return report.accepted(socket)
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
          return report.opened(socket)
        }
      })
  }
}

/** The sockets of this machine; none outlives the test. */
export const liveStreamWorld = (): StreamWorld => {
  const folder = mkdtempSync(join(tmpdir(), "us-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  let paths = 0
  const freshPath = (): string => join(folder, `${++paths}.sock`)
  return {
    streams: ownStreams(),
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
    settled: (promise) => promise
  }
}
