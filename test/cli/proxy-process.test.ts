import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { bundledCommand, endOf, type HeardProcess, heard } from "./bundled-command.ts"
import type { Json } from "./lines.ts"
import { askAt, echoAt, stayAt } from "./proxy-peers.ts"

/* The command as a process. What it does in detail is tested without one. */

const { folder, cli, kept } = bundledCommand()

const understudy = (...argv: ReadonlyArray<string>) => heard(kept(spawn(process.execPath, [cli, ...argv])))

let places = 0
const freshPath = (): string => folder.path(`${++places}.sock`)

/** A proxy of lines, ready. */
const proxyAt = async (
  front: string,
  up: string,
  ...argv: ReadonlyArray<string>
): Promise<HeardProcess & { readonly ready: Json }> => {
  const proxy = understudy("proxy", "--listen", front, "--upstream", up, "--framing", "ndjson", ...argv)
  return { ...proxy, ready: await proxy.out.record("ready") }
}

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

  // Seen to fail while a process stayed until somebody read what it had said: after the word for ever, after a signal until the next.
  test.each([
    { how: "SIGTERM", stop: ({ child }: HeardProcess) => child.kill("SIGTERM") },
    { how: "the word stop", stop: ({ child }: HeardProcess) => child.stdin?.write("stop\n") }
  ])("ends by $how also when nobody reads what it has said", async ({ stop }) => {
    const [front, up] = [freshPath(), freshPath()]
    await echoAt(up)
    const proxy = await proxyAt(front, up, "--log", "jsonl")
    proxy.stdout.pause()
    // More events than a pipe holds.
    await askAt(front, "one\n".repeat(5_000))
    stop(proxy)

    expect(await endOf(proxy.child, "exit")).toBe(0)
    expect(existsSync(front)).toBe(false)
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

// Seen to fail while the end of the process hid what Node was about to say.
test.each([
  { how: "an exception that nobody catches", planted: 'throw new Error("planted")' },
  { how: "a rejection that nobody handles", planted: 'Promise.reject(new Error("planted"))' },
  { how: "an exception where nobody reads stdout", planted: 'process.stdout.destroy(); throw new Error("planted")' }
])("tells $how as a defect, with its stack, and ends with exit code 1", async ({ planted }) => {
  const module = `process.on("SIGUSR2", () => { ${planted} })`
  const env = { ...process.env, NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(module)}"` }
  const up = freshPath()
  const proxy = heard(kept(spawn(process.execPath, [cli, "proxy", "--listen", freshPath(), "--upstream", up], { env })))
  await proxy.out.record("ready")
  proxy.child.kill("SIGUSR2")

  expect(await proxy.ended).toBe(1)
  expect(proxy.err.all.join("\n")).toMatch(
    /^understudy: a defect of understudy itself, please report it:\nError: planted\n +at /m
  )
})
