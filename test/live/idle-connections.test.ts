import { execFileSync } from "node:child_process"
import { expect, it } from "vitest"
import { startScript } from "../support/child-script.ts"
import { startLive } from "../support/live-world.ts"

/** How many files a process may have open, this one and its children. */
const filesMax = Number(execFileSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" })) || Number.POSITIVE_INFINITY

const wanted = 10_000
const count = Math.min(wanted, Math.max(0, filesMax - 500))
const reason = count < wanted ? ` (not ${wanted}: this machine allows ${filesMax} open files)` : ""

/** What a connection may cost: Node's own socket, parser and buffers, and our few objects. */
const bytesEach = 32 * 1024

it(`${count} idle connections${reason} cost bounded memory, disturb nobody, and end when the server closes`, async () => {
  const world = await startLive()
  const before = process.memoryUsage().rss
  const clients = await startScript("idle-clients", [new URL(world.origin).port, `${count}`])
  expect(await clients.line()).toBe("open")
  await world.waitConnections(count)
  const grown = process.memoryUsage().rss - before

  const response = await fetch(`${world.origin}/v1/models`, { headers: { connection: "close" } })
  expect(response.status).toBe(200)
  await response.text()
  expect(grown / count).toBeLessThan(bytesEach)

  expect(await world.server.close()).toEqual({ blocked: [] })
  expect(world.connections()).toBe(0)
  clients.finish()
  expect((await clients.exit()).code).toBe(0)
})
