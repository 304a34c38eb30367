import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { bundledCommand, heard } from "./bundled-command.ts"
import type { Json } from "./lines.ts"
import { postChat } from "./requests.ts"
import { takenPort } from "./taken-port.ts"

/* Several processes behind one port, as its users have them. */

const { folder, cli, kept } = bundledCommand()

const understudy = (...argv: ReadonlyArray<string>) => heard(kept(spawn(process.execPath, [cli, "serve", ...argv])))

const served = async (...argv: ReadonlyArray<string>) => {
  const command = understudy("--workers", "2", ...argv)
  return { ...command, ready: await command.out.record("ready") }
}

/** Each on a connection of its own, so that they are given to the processes in turn. */
const contents = async ({ url }: Json, count: number): Promise<ReadonlyArray<unknown>> => {
  const answers = Array.from({ length: count }, async () => {
    const response = await fetch(`${url}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", connection: "close" },
      body: JSON.stringify({ model: "gpt-5", messages: [{ role: "user", content: "hello" }] })
    })
    const reply: { readonly choices: ReadonlyArray<{ readonly message: { readonly content: unknown } }> } = JSON.parse(
      await response.text()
    )
    return reply.choices[0]?.message.content
  })
  return Promise.all(answers)
}

const linesOf = (path: string): ReadonlyArray<Json> =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))

describe("understudy serve --workers", () => {
  test("serves one port by several processes, and stops in order", async () => {
    const trace = folder.path("workers.jsonl")
    const command = await served("--trace", trace)

    expect(command.ready).toMatchObject({ workers: 2, pid: command.child.pid })
    expect(new Set(await contents(command.ready, 20))).toEqual(new Set(["Echo: hello"]))
    command.child.kill("SIGTERM")

    expect(await command.ended).toBe(0)
    const workers = linesOf(trace).flatMap(({ worker }) => (typeof worker === "number" ? [worker] : []))
    expect(new Set(workers)).toEqual(new Set([1, 2]))
  })

  test("answers a fixed text and faults by header, and tells on stderr what a strict one refused", async () => {
    const fixed = await served("--scenario", folder.write("fixed.yaml", "mode: { text: Fixed. }"))
    expect(await contents(fixed.ready, 4)).toEqual(Array.from({ length: 4 }, () => "Fixed."))
    const limited = await postChat(`${fixed.ready["url"]}`, { headers: { "x-understudy-fault": "rate_limit" } })
    expect(limited.status).toBe(429)

    const strict = await served("--strict")
    const { status } = await postChat(`${strict.ready["url"]}`, {})
    expect(status).toBe(400)
    strict.child.kill("SIGINT")
    expect(await strict.ended).toBe(0)
    expect(strict.err.all.join("\n")).toContain("the server was left with 1 that nobody took")
  })

  test("refuses what is taken once, and says why", async () => {
    const scenario = folder.write("turns.yaml", "turns: [One., Two.]")
    const command = understudy("--workers", "2", "--scenario", scenario)

    expect(await command.ended).toBe(1)
    expect(command.out.all).toEqual([])
    expect(command.err.all[0]).toBe(
      "understudy: the scenario has turns, each of which is taken once, by one process; leave --workers out, or the scenario with echo, a fixed text and faults by header alone"
    )
    const watched = understudy("--workers", "2", "--watch", "--scenario", scenario)
    expect(await watched.ended).toBe(2)
    expect(watched.err.all.join("\n")).toContain("--watch changes one process; leave out --watch or --workers")
  })

  test("does not begin at a port that somebody has, and leaves no process", async () => {
    const port = await takenPort()
    const command = understudy("--workers", "3", "--port", `${port}`)

    expect(await command.ended).toBe(1)
    expect(command.err.all).toHaveLength(1)
    expect(command.err.all[0]).toMatch(/EADDRINUSE.*; another program has that port; give another --port/)
  })

  // Seen to fail with one process: the port was given back with it, and the next one had another.
  test.each(["1", "2"])("replaces a process that was killed, of %s, at the same port", async (count) => {
    const command = understudy("--workers", count)
    const ready = await command.out.record("ready")
    const { pid } = command.child
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number)
    process.kill(first ?? 0, "SIGKILL")
    await command.err.first((text) => text.includes("another takes its place"))

    // Where it was the only one, somebody listens again in a while.
    let answers: ReadonlyArray<unknown> = []
    while (answers.length === 0) answers = await contents(ready, 10).catch(() => [])
    expect(new Set(answers)).toEqual(new Set(["Echo: hello"]))
    command.child.kill("SIGINT")
    expect(await command.ended).toBe(0)
  })

  test("quit on standard input ends it; other lines are for one process", async () => {
    const command = await served()
    command.child.stdin.write("hold\nquit\n")

    expect(await command.ended).toBe(0)
    expect(command.err.all).toContain('understudy: "hold" is for one process; with --workers there is only "quit"')
  })

  // Seen to fail while they were lost like any other record.
  test("tells leftovers also when the reader of its records is too far behind", async () => {
    const behind =
      "Object.defineProperty(process.stdout, 'writableLength', { value: 2 ** 24 }); console.error('behind')"
    const planted = `process.once("SIGUSR2", () => { ${behind} })`
    const env = { ...process.env, NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(planted)}"` }
    const argv = [cli, "serve", "--workers", "2", "--strict", "--log", "jsonl"]
    const command = heard(kept(spawn(process.execPath, argv, { env })))
    const ready = await command.out.record("ready")
    command.child.kill("SIGUSR2")
    await command.err.first((line) => line === "behind")
    await postChat(`${ready["url"]}`, {})
    command.child.kill("SIGTERM")

    expect(await command.ended).toBe(0)
    const types = command.out.all.map((line) => JSON.parse(line).type)
    expect(types.slice(-2)).toEqual(["dropped", "leftovers"])
  })
})
