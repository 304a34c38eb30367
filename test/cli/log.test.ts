import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { afterEach, describe, expect, test } from "vitest"
import { openTraceFile } from "../../src/cli/trace-file.ts"
import { finish, startServe, stopAll } from "./fake-io.ts"
import { postChat } from "./requests.ts"
import { tempFolder } from "./temp-folder.ts"

const folder = tempFolder()

afterEach(stopAll)

const types = (lines: ReadonlyArray<string>) => lines.map((line) => JSON.parse(line).type)

describe("--log jsonl", () => {
  test("writes each event of a request as a JSON line behind the ready record, without the steps of charts", async () => {
    const { out, url } = await startServe("--log", "jsonl")

    await postChat(url)
    await out.record("ended")

    expect(types(out.all)).toEqual(["ready", "request", "decision", "settled", "ended"])
    expect(JSON.parse(out.all[1] ?? "")).toMatchObject({ request: 1, method: "POST", path: "/v1/chat/completions" })
  })

  test("ends with the closing of the server", async () => {
    const command = await startServe("--log", "jsonl")

    command.signal("SIGINT")
    await command.code

    expect(JSON.parse(command.out.all.at(-1) ?? "")).toMatchObject({ type: "closed", blocked: [] })
  })
})

describe("--log pretty", () => {
  test("writes lines for people on stderr, and leaves stdout alone", async () => {
    const { out, err, url } = await startServe("--log", "pretty")

    await postChat(url)
    await err.first((line) => /#1 completed: \d+ bytes, 0 events$/.test(line))

    expect(out.all).toHaveLength(1)
    expect(err.all.slice(1)).toEqual([
      expect.stringMatching(/^ +\d+\.\d{3} {2}#1 POST \/v1\/chat\/completions$/),
      expect.stringMatching(/#1 auxiliary ChatCompletions, answered by mode$/),
      expect.stringMatching(/#1 crossed$/),
      expect.stringMatching(/#1 completed: /)
    ])
  })
})

describe("a log of --strict", () => {
  test("tells that a request was refused because nothing is scripted, in either form", async () => {
    const lines = await startServe("--strict", "--log", "pretty")
    const records = await startServe("--strict", "--log", "jsonl")

    await postChat(lines.url)
    await postChat(records.url)

    await lines.err.first((line) =>
      /#1 auxiliary ChatCompletions, refused: nothing is scripted for it: .*; no expectation is pending$/.test(line)
    )
    expect(await records.out.record("decision")).toMatchObject({ source: "unexpected", expectation: null })
  })
})

describe("--trace", () => {
  test("appends every event of a run, steps and start included, and keeps what the file had", async () => {
    const file = folder.write("kept.jsonl", '{"type":"before"}\n')
    const command = await startServe("--trace", file)

    await postChat(command.url)
    command.signal("SIGTERM")
    await command.code

    const lines = readFileSync(file, "utf8").trimEnd().split("\n")
    const records = lines.map((line) => JSON.parse(line))
    expect(types(lines).slice(0, 2)).toEqual(["before", "run"])
    expect(records.slice(2).map(({ index }) => index)).toEqual(records.slice(2).map((_, index) => index))
    expect(new Set(types(lines))).toEqual(
      new Set(["before", "run", "step", "request", "decision", "settled", "ended", "closed"])
    )
  })

  test("has each event on disk as soon as it happened", async () => {
    const file = folder.path("flushed.jsonl")
    const { url, out } = await startServe("--trace", file, "--log", "jsonl")

    await postChat(url)
    await out.record("ended")

    expect(readFileSync(file, "utf8")).toContain('"type":"ended"')
  })

  test.each([
    ["a folder", folder.path(".")],
    ["a folder that is not there", folder.path("absent/trace.jsonl")],
    ...(existsSync("/dev/full") ? [["a full disk", "/dev/full"]] : [])
  ])("that is %s ends serve with exit code 1 before it listens", async (_, file = "") => {
    const { code, out, err } = await finish("serve", "--trace", file)

    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(err).toContain(`understudy: cannot write the trace ${JSON.stringify(file)}: `)
    expect(err).toContain("; give --trace a file that can be written")
  })

  test("that is a named pipe is refused at once, though nobody reads it", async () => {
    const file = folder.path("trace.fifo")
    execFileSync("mkfifo", [file])

    const { code, err } = await finish("serve", "--trace", file)

    expect(code).toBe(1)
    expect(err).toContain(`cannot write the trace ${JSON.stringify(file)}: it is a pipe; give --trace a file`)
  })

  test("is written no more once it was closed", () => {
    const told: Array<string> = []
    const file = openTraceFile(folder.path("closed.jsonl"), { firstLine: "{}", failed: (reason) => told.push(reason) })

    file.append("one")
    file.close()
    file.append("after the end")
    file.close()

    expect(told).toEqual([])
    expect(readFileSync(folder.path("closed.jsonl"), "utf8")).toBe("{}\none\n")
  })
})
