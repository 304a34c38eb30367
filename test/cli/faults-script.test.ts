import { afterEach, describe, expect, test } from "vitest"
import { finish, start, stopAll } from "./fake-io.ts"
import { tempFolder } from "./temp-folder.ts"

/* fault-server.md, sections 9.1.2, 9.5 and 9.8: scripts and profiles as files. */

const folder = tempFolder()

afterEach(stopAll)

const write = (document: unknown): string => folder.write("script.json", JSON.stringify(document))

const refusal = async (document: unknown, ...argv: ReadonlyArray<string>): Promise<string> => {
  const file = write(document)
  const { code, out, err } = await finish("faults", "--port", "0", "--script", file, ...argv)
  expect({ code, out }).toEqual({ code: 1, out: "" })
  return (err.split("\n")[0] ?? "").replace("understudy faults: ", "").replace(file, "FILE")
}

const startWith = async (document: unknown, ...argv: ReadonlyArray<string>) => {
  const command = start(["faults", "--port", "0", "--script", write(document), ...argv])
  const ready = await command.out.record("ready")
  const ask = async (headers: Record<string, string> = {}): Promise<string> => {
    const response = await fetch(`${ready["url"]}/chat/completions`, {
      method: "POST",
      headers: { ...headers, connection: "close" },
      body: '{"stream":true}'
    })
    return `${response.status} ${await response.text()}`
  }
  return { ...command, ready, ask }
}

describe("a script file", () => {
  test("says what each request gets, with options of its own", async () => {
    const { ask } = await startWith({
      version: 1,
      sequence: [
        "conflict*2",
        { behavior: "success", times: 2, options: { successText: "mine" } },
        { behavior: "success" }
      ],
      options: { successText: "ours" },
      repeatLast: true
    })

    const answers = [await ask(), await ask(), await ask(), await ask(), await ask(), await ask()]

    expect(answers.map((answer) => answer.slice(0, 3)).join(" ")).toBe("409 409 200 200 200 200")
    expect(answers.map((answer) => /"content":"(mine|ours)"/.exec(answer)?.[1] ?? "none").join(" ")).toBe(
      "none none mine mine ours ours"
    )
  })

  test("is overruled by the command line, but for entries", async () => {
    const document = {
      version: 1,
      sequence: ["success", { behavior: "success", options: { successText: "mine" } }],
      options: { successText: "ours" }
    }
    const { ask } = await startWith(document, "--success-text", "yours")

    expect(await ask()).toContain('"content":"yours"')
    expect(await ask()).toContain('"content":"mine"')
  })

  test("has a script for each lane, with weights and options", async () => {
    const { ask, out } = await startWith(
      {
        version: 1,
        laneBy: ["header:x-caller"],
        strictLanes: true,
        lanes: {
          alpha: { sequence: ["random"], repeatLast: true, weights: { conflict: 1 } },
          "team-*": { sequence: ["success"], options: { successText: "team" } }
        }
      },
      "--telemetry",
      "full"
    )

    expect(await ask({ "x-caller": "alpha" })).toMatch(/^409/)
    expect(await ask({ "x-caller": "alpha" })).toMatch(/^409/)
    expect(await ask({ "x-caller": "team-1" })).toContain('"content":"team"')
    expect(await ask({ "x-caller": "other" })).toMatch(/^421/)
    expect(Object(await out.record("ready"))["lanes"]).toMatchObject([
      { lane: "alpha", entries: 1, repeatLast: true, weights: [["conflict", 1]] },
      { lane: "team-*", entries: 1, repeatLast: false }
    ])
  })

  test.each([
    { what: "a name", profile: "overload", name: "overload" },
    {
      what: "a document",
      profile: { name: "mine", version: 3, kind: "pressure", weights: [["empty", 1]] },
      name: "mine"
    }
  ])("has a profile: $what", async ({ profile, name }) => {
    const document = { version: 1, sequence: ["random"], profile }

    const { ready } = await startWith(document, "--telemetry", "full")
    const other = await startWith(document, "--telemetry", "full", "--random-weights", "success=1")

    expect(ready["profile"]).toMatchObject({ name, kind: "pressure" })
    expect(other.ready["profile"]).toMatchObject({ name: "custom" })
  })

  test("may begin with a refusal, as on the command line", async () => {
    const argv = ["--listen-delay-ms", "0", "--chunk-size", "x"]

    expect(await refusal({ version: 1, sequence: ["connection_refused", "success"] })).toContain("nonzero")
    expect(await refusal({ version: 1, sequence: ["success"] }, ...argv)).toContain("--chunk-size")
  })

  test("has no seed, and says where that is given", async () => {
    expect(await refusal({ version: 1, sequence: ["random"], seed: 5 })).toMatch(/"seed".*--seed/)
  })

  test("cannot be given beside a sequence", async () => {
    expect(await refusal({ version: 1 }, "--sequence", "success")).toBe(
      "--sequence and --script both say what requests get; give one of them (all other options go with --script)"
    )
  })

  test.each([
    { document: { version: 1, sequence: ["random"] } },
    { document: { version: 1, laneBy: ["path"], lanes: { a: { sequence: ["random"] } } } }
  ])("lets a seed be given for a random entry anywhere: $document", async ({ document }) => {
    const { ready } = await startWith(document, "--seed", "7")

    expect(ready["randomSeed"]).toBe(7)
  })
})

describe("a script file is refused with the path of its first problem:", () => {
  const success = { version: 1, sequence: ["success"] }
  const inLane = (lane: unknown) => ({ version: 1, laneBy: ["path"], lanes: { "a b": lane } })

  test.each<[document: unknown, message: string | RegExp]>([
    [[], /^FILE: the script is \[\]; give an object/],
    [{ sequence: ["success"] }, /^FILE: version is missing; give 1/],
    [{ ...success, version: 2 }, /^FILE: version is 2; give 1/],
    [{ version: 1 }, /^FILE: sequence is required/],
    [{ version: 1, sequence: [] }, /^FILE: sequence is empty; it needs a non-empty list/],
    [{ version: 1, sequence: "success" }, /^FILE: sequence is "success"; give a list/],
    [{ ...success, sequnce: [] }, /^FILE: the script has the unknown member "sequnce"; did you mean "sequence"/],
    [{ ...success, repeatLast: 1 }, /^FILE: repeatLast is 1; give true or false/],
    [{ ...success, sequence: ["success", "sucess"] }, /^FILE: sequence\[1\]: unknown behaviour "sucess"/],
    [{ ...success, sequence: ["success", 5] }, /^FILE: sequence\[1\] is 5; give an object/],
    [
      { ...success, sequence: [{ behavior: "success", tims: 2 }] },
      /^FILE: sequence\[0\] has the unknown member "tims"/
    ],
    [
      { ...success, sequence: [{ behavior: "success", times: 0 }] },
      /^FILE: sequence\[0\]\.times is 0; give an integer/
    ],
    [{ ...success, sequence: [{ times: 2 }] }, /^FILE: sequence\[0\]\.behavior is missing/],
    [
      { ...success, sequence: [{ behavior: "success", options: { chunkSize: 0 } }] },
      /^FILE: sequence\[0\]\.options: chunkSize must be an integer between 1/
    ],
    [
      { ...success, sequence: [{ behavior: "success", options: { chunkSise: 1 } }] },
      /^FILE: sequence\[0\]\.options: there is no option "chunkSise"; did you mean "chunkSize"/
    ],
    [
      { ...success, sequence: ["success", "connection_refused"] },
      /^FILE: sequence: connection_refused may only come first/
    ],
    [{ ...success, options: { resetMode: "hard" } }, /^FILE: options: resetMode must be "fin" or "rst"/],
    [{ ...success, weights: { success: -1 } }, /^FILE: weights: the weight of success is -1/],
    [{ ...success, weights: { success: 1 }, profile: "calm" }, /^FILE: profile and weights both say/],
    [{ ...success, profile: "clam" }, /^FILE: there is no profile "clam"; did you mean "calm"/],
    [{ ...success, profile: { name: "x" } }, /^FILE: profile\.kind is missing/],
    [{ ...success, laneBy: ["cookie"] }, /^FILE: laneBy\[0\] holds "cookie"/],
    [{ ...success, lanes: [] }, /^FILE: lanes is \[\]; give an object, a script/],
    [inLane({}), /^FILE: lanes\["a b"\]\.sequence is missing/],
    [inLane({ sequence: ["x"] }), /^FILE: lanes\["a b"\]\.sequence\[0\]: unknown behaviour "x"/],
    [inLane({ sequence: ["success"], chunkSize: 1 }), /^FILE: lanes\["a b"\] has the unknown member "chunkSize"/],
    [
      inLane({ sequence: ["random"], weights: {} }),
      /^FILE: lanes\["a b"\]\.weights needs at least one positive weight/
    ],
    [
      inLane({ sequence: ["success", "connection_refused:5", "success"] }),
      /^lanes\["a b"\] refuses connects.*use --lane-port/
    ],
    [inLane({ sequence: ["success", "connection_refused"] }), /^FILE: lanes\["a b"\]\.sequence: .*connection_refused/],
    [{ version: 1, lanes: { a: { sequence: ["success"] } } }, /told apart\? Add --lane-by/]
  ])("%j", async (document, message) => {
    expect(await refusal(document)).toMatch(message)
  })

  test("with a place for what is no JSON, and its name for what cannot be read", async () => {
    const broken = folder.write("broken.json", '{ "version": 1,\n  "version": 1 }')

    expect((await finish("faults", "--script", broken)).err).toMatch(/broken\.json:2:3 /)
    expect((await finish("faults", "--script", folder.path("none.json"))).err).toMatch(/cannot read ".*ENOENT/)
    expect((await finish("faults", "--script", folder.path("."))).err).toContain("it is a folder")
  })
})

describe("a profile file", () => {
  test("says what random draws", async () => {
    const profile = { name: "june", version: 2, kind: "pressure", weights: [["conflict", 1]], timing: {} }
    const file = folder.write("june.json", JSON.stringify(profile))
    const argv = ["--profile", file, "--telemetry", "full"]

    const command = start(["faults", "--port", "0", "--sequence", "random", ...argv])

    expect((await command.out.record("ready"))["profile"]).toMatchObject({ name: "june", version: 2, timing: {} })
  })

  test("is refused with its name and the path of the first problem", async () => {
    const file = folder.write("bad.json", JSON.stringify({ name: "x", version: 1, kind: "pressure", weights: [[1]] }))
    const { err } = await finish("faults", "--sequence", "random", "--profile", file)

    expect(err).toMatch(/^understudy faults: --profile: .*bad\.json: profile\.weights/)
  })
})
