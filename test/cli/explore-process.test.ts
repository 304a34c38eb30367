import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { beforeAll, describe, expect, test } from "vitest"
import { bundledCommand, type HeardProcess, heard } from "./bundled-command.ts"
import type { Json } from "./lines.ts"
import { programs } from "./program-fixtures.ts"

/* The commands of simulation as a process with threads. */

const { folder, cli, kept } = bundledCommand()

const launch = (argv: ReadonlyArray<string>) =>
  heard(kept(spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "pipe"], cwd: folder.path("here") })))

const understudy = (...argv: ReadonlyArray<string>) => launch([cli, ...argv])

const recordsOf = ({ out }: HeardProcess): ReadonlyArray<Json> => out.all.map((line) => JSON.parse(line))

beforeAll(() => {
  for (const name of ["here", "user"]) mkdirSync(folder.path(name))
})

describe("the process of explore", () => {
  test("writes the trace into its folder, from where it can be replayed, explained and tested", async () => {
    const found = understudy("explore", programs("racing.mjs"), "--workers", "2")
    expect(await found.ended).toBe(1)
    const [name = ""] = readdirSync(folder.path("here"))
    expect(name).toMatch(/^racing-[0-9a-f]{8}\.trace\.jsonl$/)
    expect(recordsOf(found)).toMatchObject([{ failure: { trace: name } }])

    const again = understudy("replay", name)
    expect(await again.ended).toBe(1)
    expect(recordsOf(again)).toMatchObject([{ outcome: "failed", isSame: true }])

    // As a package that is installed beside the test.
    mkdirSync(folder.path("user/node_modules"))
    symlinkSync(folder.path("stage"), folder.path("user/node_modules/llm-understudy"))
    const regression = folder.path("user/race.test.mjs")
    expect(await understudy("explain", name, "--test", regression).ended).toBe(0)
    const failing = launch([regression])
    expect(await failing.ended).toBe(1)
    expect(failing.out.all.join("\n")).toMatch(/sold [23] of 1/)
  })

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143]
  ] as const)("tells by %s how far it came, and ends with %i", async (signal, code) => {
    const calm = [programs("several.mjs"), "--only", "calm", "--budget", "1h"]
    const explore = understudy("explore", ...calm, "--workers", "2")
    await explore.err.first((line) => /calm: \d+ schedules, \d+\/s, \d+ things reached, .* of 3600 s$/.test(line))

    explore.child.kill(signal)

    expect(await explore.ended).toBe(code)
    const [result] = recordsOf(explore)
    expect(result).toMatchObject({ outcome: "stopped", workers: 2 })
    expect(Number(result?.["runs"])).toBeGreaterThan(0)
    expect(explore.err.all.at(-1)).toMatch(/stopped by SIG(INT|TERM) after \d+ runs; nothing found until then$/)
  })

  test("ends by a signal although a program never lets go, and says which run", async () => {
    const explore = understudy("explore", programs("endless.mjs"), "--runs", "5")
    await explore.err.first((line) => line.endsWith("it loops now"))

    explore.child.kill("SIGINT")

    expect(await explore.ended).toBe(130)
    expect(recordsOf(explore)).toMatchObject([{ outcome: "stopped", stuck: [1] }])
  })

  // Seen to fail, with "nothing found until then", while a failure counted for nothing before it had come twice.
  test("tells the failure of a run that does not come back the second time", async () => {
    const explore = understudy("explore", programs("failing-once.mjs"), "--runs", "5")
    await explore.err.first((line) => line.endsWith("it loops now"))

    explore.child.kill("SIGINT")

    expect(await explore.ended).toBe(130)
    const told =
      "stopped by SIGINT after 1 runs; run 0 did not come back; run 0 had failed, and was being made again to see that it is the same: sold out"
    expect(recordsOf(explore)).toMatchObject([{ outcome: "stopped", stuck: [0], message: told }])
    expect(explore.err.all.at(-1)).toContain(told)
  })

  // Seen to fail, waiting without a word, while nobody looked at how long a module takes.
  test("says what is waited for when a module does not come to its end", async () => {
    const explore = understudy("explore", programs("never-loaded.mjs"))
    await explore.err.first((line) => /never-loaded\.mjs is still being loaded after 5 s: a top-level await/.test(line))

    explore.child.kill("SIGINT")

    expect(await explore.ended).toBe(130)
  })

  test("says of a program that ends its process what it may have done", async () => {
    const explore = understudy("explore", programs("exiting.mjs"))

    expect(await explore.ended).toBe(1)
    expect(recordsOf(explore)).toMatchObject([{ outcome: "error", trouble: "ThreadLost" }])
    expect(explore.err.all.join("\n")).toContain("may call process.exit")
  })

  test("keeps what programs print away from stdout, and shows the first lines", async () => {
    const explore = understudy("explore", programs("printing.mjs"))

    expect(await explore.ended).toBe(0)
    expect(recordsOf(explore)).toHaveLength(1)
    expect(explore.err.all.filter((line) => line.endsWith("a line of the program"))).toHaveLength(20)
    expect(explore.err.all).toContain("understudy: what programs print is not shown any more; replay shows it")
  })

  test("loads TypeScript where Node does, and says elsewhere what to do", async () => {
    const explore = understudy("explore", programs("typed.ts"), "--runs", "2")

    if (Reflect.get(process.features, "typescript")) {
      expect(await explore.ended).toBe(0)
    } else {
      expect(await explore.ended).toBe(2)
      expect(explore.err.all.join("\n")).toContain("does not load by itself: run this with Node 22.18 or newer")
    }
  })

  test("refuses what is no module, with exit code 2", async () => {
    const asked = [folder.path("stage"), folder.path("stage/package.json"), programs("throwing.mjs")]
    const refused = asked.map((path) => understudy("explore", path))

    expect(await Promise.all(refused.map(({ ended }) => ended))).toEqual([2, 2, 2])
    const [aFolder, json, throwing] = refused.map(({ err }) => err.all.join("\n"))
    expect(aFolder).toContain("is a folder; give the file of a module in it")
    expect(json).toContain("is no module: .json cannot be loaded")
    expect(throwing).toContain("throws while it is loaded:\n  Error: no key is set")
    expect(existsSync(folder.path("here/stage"))).toBe(false)
  })
})

describe("the process of replay", () => {
  test("shows all that the program prints, on stderr", async () => {
    const replay = understudy("replay", "us1.0.-.seeded.x", programs("printing.mjs"))
    expect(await replay.ended).toBe(2)

    const explored = understudy("explore", programs("racing.mjs"), "--out", folder.path("r.trace.jsonl"))
    await explored.ended
    const printed = understudy("replay", folder.path("r.trace.jsonl"), programs("printing.mjs"), "--only", "printing")
    expect(await printed.ended).toBe(1)
    expect(printed.err.all).toContain("a line of the program")
    expect(recordsOf(printed)).toHaveLength(1)
  })
})
