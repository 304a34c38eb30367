import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { bundledCommand, type HeardProcess, heard } from "./bundled-command.ts"
import { postChat } from "./requests.ts"

const { root, folder, cli, kept } = bundledCommand()

const launch = (command: string, argv: ReadonlyArray<string>) => heard(kept(spawn(command, argv)))

const understudy = (...argv: ReadonlyArray<string>) => launch(process.execPath, [cli, ...argv])

const urlOf = async ({ out }: HeardProcess): Promise<string> => String((await out.record("ready"))["url"])

describe("the process of serve", () => {
  test.each(["SIGINT", "SIGTERM"] as const)(
    "tells that it is ready, answers, and ends by %s with exit code 0",
    async (signal) => {
      const serve = understudy("serve")

      expect((await postChat(await urlOf(serve))).status).toBe(200)
      serve.child.kill(signal)

      expect(await serve.ended).toBe(0)
      expect(serve.out.all[0]).toContain(`"pid":${serve.child.pid}`)
    }
  )

  test("ends cleanly when one Ctrl-C arrives twice, as under npm", async () => {
    const serve = understudy("serve")
    await urlOf(serve)

    serve.child.kill("SIGINT")
    serve.child.kill("SIGINT")

    expect(await serve.ended).toBe(0)
  })

  test("ends cleanly however many signals arrive until it is gone", async () => {
    const serve = understudy("serve")
    await urlOf(serve)
    const again = setInterval(() => serve.child.kill("SIGINT"), 1)

    serve.child.kill("SIGINT")

    expect(await serve.ended).toBe(0)
    clearInterval(again)
  })

  test("reads a scenario from a pipe of its shell", async () => {
    const serve = launch("bash", [
      "-c",
      'exec "$@" --scenario <(echo "turns: [a]")',
      "bash",
      process.execPath,
      cli,
      "serve"
    ])

    await urlOf(serve)
    serve.child.kill("SIGINT")

    expect(await serve.ended).toBe(0)
  })

  test("can be ended by a signal while it waits for its scenario", async () => {
    // More than a pipe holds: when all is written, serve is reading.
    const script = 'exec "$@" --scenario <(head -c 300000 /dev/zero; kill -TERM $$)'
    const serve = launch("bash", ["-c", script, "bash", process.execPath, cli, "serve"])

    expect(await serve.ended).toBe("SIGTERM")
  })

  test("ends when standard input says so, and not when it ends", async () => {
    const serve = understudy("serve")
    const other = understudy("serve")
    const url = await urlOf(other)
    other.child.stdin?.end()

    serve.child.stdin?.write("quit\n")

    expect(await serve.ended).toBe(0)
    expect((await postChat(url)).status).toBe(200)
  })

  test("goes on when nobody reads its output any more", async () => {
    const serve = understudy("serve", "--log", "jsonl")
    const url = await urlOf(serve)

    serve.stdout.destroy()
    await postChat(url)
    await serve.err.first((line) => line.startsWith("understudy: nobody reads stdout any more"))

    expect((await postChat(url)).status).toBe(200)
    serve.child.kill("SIGINT")
    expect(await serve.ended).toBe(0)
  })

  test("goes on without a trace when the disk takes no more of it", async () => {
    const file = folder.path("limited.jsonl")
    const limited = ["-c", 'ulimit -f 8; exec "$@"', "sh", process.execPath, cli, "serve", "--trace", file]
    const serve = launch("sh", limited)
    const url = await urlOf(serve)

    for (let count = 0; count < 10; count++) await postChat(url)
    await serve.err.first((line) => line.endsWith("EFBIG: file too large, write; the server goes on without a trace"))

    expect((await postChat(url)).status).toBe(200)
    expect(readFileSync(file).byteLength).toBeGreaterThan(0)
  })

  test("loads a scenario again that was edited", async () => {
    const file = folder.write("process.yaml", "turns: []")
    const serve = understudy("serve", "--scenario", file, "--watch", "--log", "jsonl")
    await urlOf(serve)

    folder.write("process.yaml", "turns: [one]")

    expect(await serve.out.record("reload", ({ ok }) => ok === true)).toMatchObject({ file })
  })

  test("fails with exit code 1 on a taken port and 2 on a bad option, with nothing on stdout", async () => {
    const first = understudy("serve")
    const { port } = new URL(await urlOf(first))

    const taken = understudy("serve", "--port", port)
    const bad = understudy("serve", "--port", "x")

    expect([await taken.ended, await bad.ended]).toEqual([1, 2])
    expect([taken.out.all, bad.out.all]).toEqual([[], []])
  })
})

describe("the built command", () => {
  test("knows the version of its package", async () => {
    const asked = understudy("--version")

    expect(await asked.ended).toBe(0)
    expect(asked.out.all).toEqual([JSON.parse(readFileSync(`${root}/package.json`, "utf8")).version])
  })

  test("comes with the schema of scenario files", () => {
    const { exports } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"))
    const file = folder.path(`stage/${exports["./scenario.schema.json"]}`)

    expect(existsSync(file)).toBe(true)
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      properties: { expectations: { items: { $ref: "#/$defs/expectation" } } }
    })
  })
})
