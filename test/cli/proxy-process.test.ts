import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { cpSync, existsSync, mkdirSync } from "node:fs"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { afterEach, beforeAll, describe, expect, test } from "vitest"
import { type Json, type Lines, linesOf } from "./lines.ts"
import { askAt, echoAt, stayAt } from "./proxy-peers.ts"
import { tempFolder } from "./temp-folder.ts"

/* The command as its users have it: the bundle of these sources, as a process. What it does in detail is tested without one. */

const root = fileURLToPath(new URL("../..", import.meta.url))
const folder = tempFolder()
const cli = folder.path("stage/dist/cli.js")

interface Process {
  readonly child: ChildProcess
  readonly out: Lines
  readonly err: Lines
  readonly stdout: Readable
  /** Exit code, or the name of the signal that ended it. */
  readonly ended: Promise<number | string | null>
}

const running = new Set<ChildProcess>()

const understudy = (...argv: ReadonlyArray<string>): Process => {
  const child = spawn(process.execPath, [cli, ...argv], { stdio: ["pipe", "pipe", "pipe"] })
  running.add(child)
  const ended = new Promise<number | string | null>((resolve) => {
    child.once("close", (code, signal) => resolve(code ?? signal))
  })
  return { child, out: linesOf(child.stdout), err: linesOf(child.stderr), stdout: child.stdout, ended }
}

let places = 0
const freshPath = (): string => folder.path(`${++places}.sock`)

/** A proxy of lines, ready. */
const proxyAt = async (
  front: string,
  up: string,
  ...argv: ReadonlyArray<string>
): Promise<Process & { readonly ready: Json }> => {
  const proxy = understudy("proxy", "--listen", front, "--upstream", up, "--framing", "ndjson", ...argv)
  return { ...proxy, ready: await proxy.out.record("ready") }
}

beforeAll(() => {
  mkdirSync(folder.path("stage"))
  cpSync(`${root}/package.json`, folder.path("stage/package.json"))
  const build = [`${root}/.ci/build.mjs`, "--no-types", "--out", folder.path("stage/dist")]
  execFileSync(process.execPath, build, { stdio: "pipe" })
})

afterEach(() => {
  for (const child of running) child.kill("SIGKILL")
  running.clear()
})

describe("the process of proxy", () => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "ends by %s in order: clients are cut, socket files are gone, and totals are told",
    async (signal) => {
      const [front, up, control] = [freshPath(), freshPath(), freshPath()]
      await echoAt(up)
      const proxy = await proxyAt(front, up, "--control", control)
      expect(await askAt(front, "one\n")).toBe("one\n")
      const stays = stayAt(front)
      const commanding = stayAt(control)
      await Promise.all([stays.opened, commanding.opened])
      const waiting = understudy("proxy-control", control, "wait", "connections", "2")
      expect(await waiting.ended).toBe(0)
      proxy.child.kill(signal)

      expect(await proxy.ended).toBe(0)
      await Promise.all([stays.closed, commanding.closed])
      expect(proxy.ready["pid"]).toBe(proxy.child.pid)
      expect(await proxy.out.record("summary")).toMatchObject({ accepted: 2, forwarded: { clientToLeader: 1 } })
      expect([front, control].filter(existsSync)).toEqual([])
    }
  )

  test("ends cleanly when one Ctrl-C arrives twice, as under npm", async () => {
    const proxy = await proxyAt(freshPath(), freshPath())

    proxy.child.kill("SIGINT")
    proxy.child.kill("SIGINT")

    expect(await proxy.ended).toBe(0)
  })

  test("that was killed leaves its sockets, which the next one replaces", async () => {
    const [front, up, control] = [freshPath(), freshPath(), freshPath()]
    await echoAt(up)
    const first = await proxyAt(front, up, "--control", control)
    first.child.kill("SIGKILL")
    expect(await first.ended).toBe("SIGKILL")
    expect([front, control].filter(existsSync)).toEqual([front, control])

    const next = await proxyAt(front, up, "--control", control)

    expect(await askAt(front, "one\n")).toBe("one\n")
    const asking = understudy("proxy-control", control, "stats")
    expect(await asking.ended).toBe(0)
    expect(JSON.parse(asking.out.all[0] ?? "")).toMatchObject({ ok: true, result: { totals: { accepted: 1 } } })
    next.child.kill("SIGINT")
    expect(await next.ended).toBe(0)
  })

  test("refuses a path at which another one listens, and leaves that one alone", async () => {
    const [front, up] = [freshPath(), freshPath()]
    await echoAt(up)
    await proxyAt(front, up)
    const second = understudy("proxy", "--listen", front, "--upstream", up)

    expect(await second.ended).toBe(1)
    expect(second.out.all).toEqual([])
    expect(second.err.all).toEqual([expect.stringContaining("somebody accepts connections at")])
    expect(await askAt(front, "one\n")).toBe("one\n")
  })

  test("goes on when nobody reads its output any more", async () => {
    const [front, up] = [freshPath(), freshPath()]
    await echoAt(up)
    const proxy = await proxyAt(front, up, "--log", "jsonl")

    proxy.stdout.destroy()
    await askAt(front, "one\n")
    await proxy.err.first((line) => line.startsWith("understudy: nobody reads stdout any more"))

    expect(await askAt(front, "two\n")).toBe("two\n")
    proxy.child.kill("SIGINT")
    expect(await proxy.ended).toBe(0)
  })

  test("proxy-control waits for a proxy that is stopped no longer than that", async () => {
    const [front, control] = [freshPath(), freshPath()]
    const proxy = await proxyAt(front, freshPath(), "--control", control, "--log", "jsonl")
    const waiting = understudy("proxy-control", control, "wait", "held", "go")
    const stats = understudy("proxy-control", control, "stats")
    await stats.ended
    proxy.child.stdin?.write("stop\n")

    expect(await proxy.ended).toBe(0)
    expect(await waiting.ended).toBe(1)
  })
})
