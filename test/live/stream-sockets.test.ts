import { existsSync, linkSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { makeLiveStreams } from "../../src/live/stream-sockets.ts"
import type { StreamPort } from "../../src/ports/stream-port.ts"
import { streamContract } from "../ports/stream-contract.ts"
import { connect, listen, right, type StreamWorld } from "../ports/stream-world.ts"

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

const liveWorld = (): StreamWorld => {
  const folder = mkdtempSync(join(tmpdir(), "us-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  let paths = 0
  const freshPath = (): string => join(folder, `${++paths}.sock`)
  return {
    streams: ownStreams(),
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

describe("sockets of this machine", () => {
  streamContract(liveWorld)

  it("leave at their path what somebody else has put there when they are closed", async () => {
    const { streams, freshPath } = liveWorld()
    const path = freshPath()
    const first = right(await listen(streams, { kind: "unix", path }))
    rmSync(path)
    const second = right(await listen(streams, { kind: "unix", path }))

    await first.close()

    const near = right(await connect(streams, { kind: "unix", path }))
    await near.write("to the second")
    const far = await second.accepted()
    await far.has(13)
    expect(readdirSync(dirname(path))).toEqual([basename(path)])
    await second.close()
    expect(existsSync(path)).toBe(false)
  })
})
