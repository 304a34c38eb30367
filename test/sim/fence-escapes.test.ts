import { exec, execFile, fork, spawn, spawnSync } from "node:child_process"
import crypto from "node:crypto"
import dns from "node:dns"
import fs, { readFile } from "node:fs"
import { readFile as promisedReadFile } from "node:fs/promises"
import http from "node:http"
import net from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { Worker } from "node:worker_threads"
import { describe, expect, it } from "vitest"
import { realTimers } from "../../src/sim/fence.ts"
import { failure, returned, runOnce, sleep } from "./fence-world.ts"

/** From before the fence: Node marks what it gives as its own promised form. */
const promisedEarly = promisify(execFile)
const realSetTimeout = realTimers().setTimeout
const never = new Promise<never>(() => {})

const network = "give the client the simulated network"
const files = "read files before the run, and write them after it"
const processes = "start processes before the run, or simulate one (sim.stdioPair)"
const keys = "make keys before the run"
const scratch = join(tmpdir(), "never-written-by-a-run")

/** What a run tries, what it is refused as, and what it is told to do instead. */
const waysOut: Readonly<Record<string, readonly [leave: () => unknown, what: string, instead: string]>> = {
  "net.connect": [() => net.connect(1, "127.0.0.1"), "net.Socket.connect", network],
  "http.request": [() => http.request("http://127.0.0.1:1").end(), "net.Socket.connect", network],
  fetch: [() => fetch("http://127.0.0.1:60999"), "net.Socket.connect", network],
  "server.listen": [() => net.createServer().listen(0), "net.Server.listen", network],
  "dns.lookup": [() => dns.lookup("localhost", () => {}), "dns.lookup", network],
  "dns.promises": [() => dns.promises.lookup("localhost"), "dns.promises.lookup", network],
  "dns.Resolver": [() => new dns.Resolver().resolve4("localhost", () => {}), "dns.Resolver.resolve4", network],
  "dns.promises.Resolver": [
    () => new dns.promises.Resolver().resolve4("localhost"),
    "dns.promises.Resolver.resolve4",
    network
  ],
  spawn: [() => spawn("true"), "child_process.spawn", processes],
  exec: [() => exec("true"), "child_process.exec", processes],
  "promisify(exec)": [() => promisify(exec)("true"), "child_process.exec", processes],
  execFile: [() => execFile("true", () => {}), "child_process.execFile", processes],
  fork: [() => fork(scratch), "child_process.fork", processes],
  spawnSync: [() => spawnSync("true"), "child_process.spawnSync", processes],
  Worker: [() => new Worker("", { eval: true }), "new Worker", "start workers before the run"],
  "fs.readFile": [() => readFile("/dev/null", () => {}), "fs.readFile", files],
  "fs.promises": [() => promisedReadFile("/dev/null"), "fs.promises.readFile", files],
  "fs.watch": [() => fs.watch(tmpdir()).close(), "fs.watch", files],
  "fs.watchFile": [() => fs.watchFile(scratch, () => {}), "fs.watchFile", files],
  "fs.promises.watch": [() => fs.promises.watch(tmpdir()), "fs.promises.watch", files],
  "fs.writeFileSync": [() => fs.writeFileSync(scratch, "text"), "fs.writeFileSync", files],
  "fs.mkdirSync": [() => fs.mkdirSync(scratch), "fs.mkdirSync", files],
  "fs.openSync": [() => fs.openSync(scratch, "a"), "fs.openSync", files],
  "fs.openSync by number": [() => fs.openSync(scratch, fs.constants.O_CREAT), "fs.openSync", files],
  "crypto.generateKeyPair": [() => crypto.generateKeyPair("ed25519", {}, () => {}), "crypto.generateKeyPair", keys],
  "crypto.generateKeyPairSync": [() => crypto.generateKeyPairSync("ed25519"), "crypto.generateKeyPairSync", keys],
  "keys of a curve": [() => crypto.createECDH("prime256v1").generateKeys(), "ECDH.generateKeys", keys],
  "pairs of crypto.subtle": [
    () => globalThis.crypto.subtle.generateKey("Ed25519", true, ["sign"]),
    "crypto.subtle.generateKey",
    keys
  ],
  "Atomics.waitAsync": [
    () =>
      Reflect.apply(Reflect.get(Atomics, "waitAsync"), Atomics, [new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5]),
    "Atomics.waitAsync",
    "wait with setTimeout or sim.sleep"
  ],
  "a setTimeout kept from before the fence": [
    () => realSetTimeout(() => {}, 1),
    "a real timer",
    'put the fence up before that code is loaded (import "llm-understudy/fence" before it, or '
  ]
}

describe("A way out of the process", () => {
  it.each(Object.entries(waysOut))(
    "is an error with its stack and its advice: %s",
    async (name, [leave, what, instead]) => {
      const error = await failure(async () => {
        // Also when the client swallows it.
        try {
          await leave()
        } catch {}
        await sleep(10)
        return never
      })
      expect(error).toMatchObject({ _tag: "EscapedFence", name: "EscapedFence", what })
      const { message = "", stack = "" } = error instanceof Error ? error : {}
      // What Node does later itself has only Node's frames.
      expect(stack).toContain(name === "fetch" ? "node:internal/deps/undici" : "fence-escapes.test.ts")
      expect(message).toContain(`no seed can repeat: ${what === "a real timer" ? "its function was kept" : instead}`)
      expect(message).toContain(instead)
      expect(message).toContain('allow: ["')
      expect(fs.existsSync(scratch)).toBe(false)
    }
  )

  it("is none when files are read at once, or something is printed by its number", async () => {
    const read = await returned(() => {
      fs.writeSync(2, "")
      fs.closeSync(fs.openSync("/dev/null", "r"))
      return fs.readFileSync("/dev/null", "utf8")
    })
    expect(read).toBe("")
  })

  it("is open to code of no run, and to a run that is allowed it by name", async () => {
    expect((await promisedReadFile("/dev/null")).length).toBe(0)
    expect(await returned(async () => (await promisedReadFile("/dev/null")).length, { allow: ["fs"] })).toBe(0)
    expect(await returned(() => spawnSync("true").status, { allow: ["child_process"] })).toBe(0)
    expect(await failure(() => spawnSync("true").status, { allow: ["fs"] })).toMatchObject({ _tag: "EscapedFence" })
  })

  it("stays open to functions that were promisified before the fence, for code of no run", async () => {
    expect((await promisedEarly("true")).stdout).toBe("")
    expect(await failure(() => promisify(execFile)("true"))).toMatchObject({ what: "child_process.execFile" })
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
