import { execFile, spawn, spawnSync } from "node:child_process"
import dns from "node:dns"
import { readFile } from "node:fs"
import { readFile as promisedReadFile } from "node:fs/promises"
import http from "node:http"
import net from "node:net"
import { Worker } from "node:worker_threads"
import { describe, expect, it } from "vitest"
import { realTimers } from "../../src/sim/fence.ts"
import { failure, returned, runOnce, sleep } from "./fence-world.ts"

const realSetTimeout = realTimers().setTimeout
const never = new Promise<never>(() => {})

const waysOut: Readonly<Record<string, () => unknown>> = {
  "net.connect": () => net.connect(1, "127.0.0.1"),
  "http.request": () => http.request("http://127.0.0.1:1").end(),
  fetch: () => fetch("http://127.0.0.1:60999"),
  "server.listen": () => net.createServer().listen(0),
  "dns.lookup": () => dns.lookup("localhost", () => {}),
  "dns.promises": () => dns.promises.lookup("localhost"),
  spawn: () => spawn("true"),
  execFile: () => execFile("true", () => {}),
  spawnSync: () => spawnSync("true"),
  Worker: () => new Worker("", { eval: true }),
  "fs.readFile": () => readFile("/dev/null", () => {}),
  "fs.promises": () => promisedReadFile("/dev/null"),
  "a setTimeout kept from before the fence": () => realSetTimeout(() => {}, 1)
}

describe("A way out of the process", () => {
  it.each(Object.entries(waysOut))("is an error with its stack: %s", async (name, leave) => {
    const error = await failure(async () => {
      // Also when the client swallows it.
      try {
        await leave()
      } catch {}
      await sleep(10)
      return never
    })
    expect(error).toMatchObject({ _tag: "EscapedFence", name: "EscapedFence" })
    // What Node does later itself has only Node's frames.
    const frame = name === "fetch" ? "node:internal/deps/undici" : "fence-escapes.test.ts"
    expect(error instanceof Error ? error.stack : "").toContain(frame)
    expect(error instanceof Error ? error.message : "").toContain('allow: ["')
  })

  it("is open to code of no run, and to a run that is allowed it by name", async () => {
    expect((await promisedReadFile("/dev/null")).length).toBe(0)
    expect(await returned(async () => (await promisedReadFile("/dev/null")).length, { allow: ["fs"] })).toBe(0)
    expect(await returned(() => spawnSync("true").status, { allow: ["child_process"] })).toBe(0)
    expect(await failure(() => spawnSync("true").status, { allow: ["fs"] })).toMatchObject({ _tag: "EscapedFence" })
  })

  it("is not what a test prints", async () => {
    const outcome = await runOnce(1, async () => {
      console.log("printed inside a run")
      process.stdout.write("written inside a run\n")
      await sleep(5)
    })
    expect(outcome.status).toBe("returned")
  })
})
