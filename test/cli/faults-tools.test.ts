import { afterEach, describe, expect, test } from "vitest"
import { catalogue } from "../../src/faults/catalogue/catalogue.ts"
import { finish, start, stopAll } from "./fake-io.ts"
import { tempFolder } from "./temp-folder.ts"

/* fault-server.md, section 9.5: what understudy faults does without a server. */

const folder = tempFolder()

afterEach(stopAll)

const result = (behavior: string) => JSON.stringify({ type: "result", attempt: 1, behavior, outcome: "completed" })

describe("understudy faults list", () => {
  test("tells every behaviour with a line each, and what else a sequence may hold", async () => {
    const { code, out, err } = await finish("faults", "list")

    expect({ code, err }).toEqual({ code: 0, err: "" })
    const names = out.split("\n").map((line) => line.trim().split(/ {2,}/)[0])
    expect(names).toEqual([
      ...catalogue.map(({ name }) => name),
      "random",
      "connection_refused",
      "connection_refused:MS"
    ])
  })
})

describe("understudy faults simulate", () => {
  test("tells the choices of a seed", async () => {
    const { code, out } = await finish("faults", "simulate", "--seed", "42", "--requests", "4")

    expect({ code, out }).toEqual({ code: 0, out: "connection_reset\nsuccess\nstall\nstream_disconnect" })
  })

  test("tells those of weights, and of a lane", async () => {
    const weights = ["--random-weights", "success=1,empty=1", "--seed", "42", "--requests", "4"]
    const lane = ["--lane", "beta", "--profile", "stress", "--seed", "42", "--requests", "2"]

    expect((await finish("faults", "simulate", ...weights)).out).toBe("empty\nsuccess\nempty\nempty")
    expect((await finish("faults", "simulate", ...lane)).out).toBe("success\nrate_limit")
  })

  test("tells a seed that nobody gave on stderr, with which it tells the same", async () => {
    const { out, err } = await finish("faults", "simulate", "--requests", "50")
    const seed = /seed (\d+), profile stress 1 \(pressure, sha256 [0-9a-f]{64}\)/.exec(err)?.[1] ?? ""

    expect((await finish("faults", "simulate", "--requests", "50", "--seed", seed)).out).toBe(out)
  })

  test.each([
    { argv: ["--seed", "x"], says: "--seed" },
    { argv: ["--seed", "4294967296"], says: "integer between 0 and 4294967295" },
    { argv: ["--requests", "1000001"], says: "integer between 0 and 1000000" },
    { argv: ["--profile", "nope"], says: '"nope"' },
    { argv: ["--random-weights", "x=1"], says: '"x"' },
    { argv: ["--random-weights", "success=1", "--profile", "calm"], says: "--profile and --random-weights" },
    { argv: ["--lane="], says: "--lane" },
    { argv: ["--port", "1"], says: "--port" },
    { argv: ["stray"], says: "stray" }
  ])("refuses $argv", async ({ argv, says }) => {
    const { code, out, err } = await finish("faults", "simulate", ...argv)

    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(err.split("\n")[0]).toContain(says)
    expect(err).toContain("\n\nUsage: understudy faults simulate ")
  })
})

describe("understudy faults profile fit", () => {
  const recorded = [
    '{"type":"ready"}',
    ...Array(6).fill(result("success")),
    result("rate_limit"),
    "",
    result("script_exhausted")
  ].join("\n")

  test("makes a measured profile, which the server takes", async () => {
    const file = folder.write("results.jsonl", recorded)
    const argv = ["--name", "june", "--source", "gateway", "--window", "2026-06"]

    const { code, out, err } = await finish("faults", "profile", "fit", file, ...argv)

    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      name: "june",
      kind: "measured",
      source: "gateway",
      window: "2026-06",
      requests: 7,
      weights: [
        ["rate_limit", 1],
        ["success", 6]
      ]
    })
    expect(err).toContain("seen too seldom to say much: rate_limit")
    const profile = folder.write("june.json", out)
    const run = ["faults", "--port", "0", "--sequence", "random", "--profile", profile, "--telemetry", "full"]
    expect((await start(run).out.record("ready"))["profile"]).toMatchObject({ name: "june", kind: "measured" })
  })

  test("names it after the file when nothing is said, and asks for the period", async () => {
    const file = folder.write("monday.jsonl", recorded)

    const { out, err } = await finish("faults", "profile", "fit", file)

    expect(JSON.parse(out)).toMatchObject({ name: "monday", source: "monday.jsonl", window: "not stated" })
    expect(err).toContain("--window")
  })

  test.each([
    { what: "no file", argv: [], says: "FILE is required" },
    { what: "a file that is not there", argv: ["/none"], says: 'cannot read "/none": ENOENT' },
    { what: "no record", argv: [folder.write("empty.jsonl", "\n")], says: "empty.jsonl: there is no result record" },
    { what: "no JSON", argv: [folder.write("text.jsonl", "hello")], says: "text.jsonl: line 1 is no JSON object" },
    {
      what: "a foreign name",
      argv: [folder.write("x.jsonl", result("boom"))],
      says: 'x.jsonl: line 1: the behavior is "boom"'
    },
    { what: "an empty name", argv: [folder.write("y.jsonl", result("stall")), "--name="], says: "profile.name" }
  ])("refuses $what", async ({ argv, says }) => {
    const { code, out, err } = await finish("faults", "profile", "fit", ...argv)

    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(err.split("\n")[0]).toContain(says)
    expect(err).toContain("\n\nUsage: understudy faults profile fit FILE")
  })

  test("reads files piece by piece", async () => {
    const file = folder.write("long.jsonl", `${result("success")}\n`.repeat(20_000))

    expect(JSON.parse((await finish("faults", "profile", "fit", file)).out)).toMatchObject({ requests: 20_000 })
  })
})

test.each(["list", "simulate"])("understudy faults %s --help shows how it is used", async (word) => {
  const { code, out, err } = await finish("faults", word, "--help")

  expect({ code, err }).toEqual({ code: 0, err: "" })
  expect(out).toMatch(new RegExp(`^Usage: understudy faults ${word}`))
})
