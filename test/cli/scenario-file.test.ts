import { execFileSync } from "node:child_process"
import { describe, expect, test } from "vitest"
import { readScenarioBytes, readScenarioFile, scenarioBytesMax } from "../../src/cli/scenario-file.ts"
import { entriesMax } from "../../src/cli/yaml-compose.ts"
import { tempFolder } from "./temp-folder.ts"

const folder = tempFolder()

const problems = (text: string, file = "s.yaml"): ReadonlyArray<string> => {
  const reading = readScenarioFile(file, { bytes: Buffer.from(text) })
  return reading.ok ? [] : reading.problems
}

describe("a scenario file", () => {
  test("is YAML, or JSON by its name, to the same effect", () => {
    const yaml = readScenarioFile("s.yaml", { bytes: Buffer.from("# a comment\nturns:\n  - one\n") })
    const json = readScenarioFile("s.JSON", { bytes: Buffer.from('{\n\t"turns": [\n\t\t"one"\n\t]\n}') })

    expect(yaml).toMatchObject({ ok: true, script: { turns: ["one"] } })
    expect(JSON.stringify(json)).toBe(JSON.stringify(yaml))
  })

  test("tells every problem with file, line, column and path, in the order of the file", () => {
    const text = [
      "turn: []",
      "expectations:",
      "  - name: one",
      "    endpoint: chat",
      "    kind: auxiliary",
      "    response: { json: {}, ending: now }",
      "  - kind: auxiliary",
      "    endpoint: Messages",
      "    response:",
      "  - name: two",
      "    endpoint: Messages",
      "    kind: auxiliary",
      "    response: hi",
      "    barriers:",
      "      - at: { afterEvent: 99 }",
      "chunkDelayMs: soon"
    ].join("\n")

    expect(problems(text).map((line) => line.replace(/(: .{20}).*/, "$1"))).toEqual([
      "s.yaml:1:1 turn: is an unknown key; d",
      's.yaml:4:15 expectations[0].endpoint: "chat" is not one of',
      's.yaml:6:35 expectations[0].response.ending: "now" is not one of ',
      's.yaml:7:5 expectations[1]: has no "name"; add i',
      "s.yaml:9:14 expectations[1].response: an empty value (null",
      "s.yaml:15:9 expectations[2].barriers[0]: no position afterEve",
      's.yaml:16:15 chunkDelayMs: "soon" does not fit;'
    ])
  })

  test("points into the text that an alias stands for", () => {
    const text = "turns: &texts [a, 5]\nqueues:\n  /v1/messages: *texts\n"

    expect(problems(text).map((line) => line.split(": ")[0])).toEqual([
      "s.yaml:1:19 turns[1]",
      's.yaml:1:19 queues["/v1/messages"][1]'
    ])
  })

  test.each([
    ["broken YAML", "turns: [a", "s.yaml:1:10 "],
    ["broken JSON", '{"turns": [1,]}', "s.json:1:14 is no JSON: value was wanted here"],
    ["JSON that ends early", '{"turns": [', "s.json:1:12 is no JSON: "],
    ["JSON with comments", "// no\n{}", "s.json:1:1 is no JSON: "],
    ["a key that is there twice", "turns: []\nturns: []\n", "s.yaml:2:1 Map keys must be unique"],
    ["a key that is there twice in JSON", '{"turns": [], "turns": []}', "s.json:1:15 Map keys must be unique"],
    ["a key that is no string", "? [a]\n: b\n", "s.yaml:1:3 "],
    ["two documents", "turns: []\n---\nturns: []\n", "s.yaml:2:1 "],
    ["an unknown tag", "turns: !x []\n", "s.yaml:1:8 Unresolved tag: !x"],
    ["a tag that makes no JSON", "settings: !!set { a }\n", "s.yaml:1:11 Unresolved tag"],
    ["an alias without anchor", "turns: *a\n", "s.yaml:1:8 *a names no anchor before it"],
    ["an alias that contains itself", "settings: &a [*a]\n", "s.yaml:1:15 has an alias that contains itself"],
    ["a number that JSON does not have", "settings: .inf\n", "s.yaml:1:11 .inf is a number that JSON does not have"],
    ["a number that would be rounded", "settings: 9007199254740993\n", "s.yaml:1:11 9007199254740993 is beyond 2^53"],
    ["a list at the top", "- a\n", "s.yaml:1:1 a list does not fit; give a mapping"],
    ["nothing but comments", "# nothing\n", "s.yaml:1:1 an empty value (null) does not fit; give a mapping"],
    ["no text", " \n", "s.yaml:1:1 is empty; write {} for a scenario that sets nothing"]
  ])("refuses %s where it stands", (_, text, start) => {
    const [first = ""] = problems(text, start.split(":")[0])

    expect(first.slice(0, start.length)).toBe(start)
  })

  test("refuses what is no UTF-8", () => {
    expect(readScenarioFile("s.yaml", { bytes: Uint8Array.of(0xff) })).toMatchObject({
      problems: ["s.yaml:1:1 is not valid UTF-8; save it as UTF-8"]
    })
  })

  test("cannot fill the memory with aliases, nor the stack with brackets", () => {
    const level = (name: string, of: string) => `${name}: &${name} [${Array(9).fill(of).join(", ")}]`
    const names = "abcdefghijklmnopqrst".split("")
    const bomb = names.map((name, index) => level(name, index === 0 ? "x" : `*${names[index - 1]}`)).join("\n")

    expect(problems(bomb)).toEqual([expect.stringContaining("s.yaml:1:1 has too many aliases")])
    const tooDeep = [expect.stringContaining(":1:1 is nested deeper than 128 levels")]
    const nested = `{"settings": ${"[".repeat(20_000)}${"]".repeat(20_000)}}`
    expect(problems("[".repeat(20_000))).toEqual(tooDeep)
    expect(problems("- ".repeat(20_000))).toEqual(tooDeep)
    expect(problems(nested)).toEqual(tooDeep)
    expect(problems(nested, "s.json")).toEqual(tooDeep)
  })

  test("cannot be made deep by a chain of aliases", () => {
    const link = (n: number) => `  a${n}: &a${n} ${"[".repeat(60)}*a${n - 1}${"]".repeat(60)}`
    const chain = ["settings:", "  a0: &a0 x", link(1), link(2), link(3)].join("\n")

    expect(problems(chain)).toEqual([expect.stringContaining(":1:1 is nested deeper than 128 levels")])
  })

  test("shows a hundred problems and counts the rest", () => {
    const found = problems(`turns: [${Array(250).fill(1).join(", ")}]`)

    expect(found).toHaveLength(101)
    expect(found.at(-1)).toBe("s.yaml: 150 more problems")
  })

  test("is read from disk up to a bound", () => {
    const good = folder.write("good.yaml", "turns: []")
    const large = folder.write("large.yaml", " ".repeat(scenarioBytesMax + 1))

    expect(readScenarioBytes(good)).toEqual({ ok: true, bytes: Buffer.from("turns: []") })
    expect(readScenarioBytes(large)).toMatchObject({ ok: false, problems: [expect.stringContaining("is larger than")] })
    expect(readScenarioBytes("/dev/zero")).toMatchObject({ ok: false })
    expect(readScenarioBytes(folder.path("absent.yaml"))).toMatchObject({
      problems: [expect.stringMatching(/^cannot read the scenario ".*absent\.yaml": ENOENT/)]
    })
    expect(readScenarioBytes(folder.path("."))).toMatchObject({ problems: [expect.stringContaining("EISDIR")] })
  })

  test("is not waited for when it is a named pipe", () => {
    const pipe = folder.path("scenario.fifo")
    execFileSync("mkfifo", [pipe])

    expect(readScenarioBytes(pipe)).toEqual({
      ok: false,
      problems: [
        `cannot read the scenario ${JSON.stringify(pipe)}: it is a pipe; give a file, or <(command) of a shell`
      ]
    })
  })
})

/** Each of these took minutes when its cost grew with the square of its size. */
describe("a large scenario file", () => {
  const many = (count: number, line: (index: number) => string) => Array.from({ length: count }, (_, i) => line(i))

  test("is read whatever mapping its many keys are in", () => {
    const keys = many(60_000, (index) => `  key${index}: 1`)

    expect(problems(["settings:", ...keys].join("\n"))).toEqual([])
    expect(problems(["settings:", ...keys, "  key5: 1"].join("\n"))).toEqual(["s.yaml:60002:3 Map keys must be unique"])
  })

  test("tells the first of many problems, and how many more there are", () => {
    const unknown = problems(many(40_000, (index) => `k${index}: 1`).join("\n"))
    expect([unknown[0], unknown.at(-1)]).toEqual([
      expect.stringContaining("s.yaml:1:1 k0: is an unknown key; known here: "),
      "s.yaml: 39900 more problems"
    ])

    const bad = problems(["expectations:", ...many(20_000, (index) => `  - { name: a${index} }`)].join("\n"))
    expect(bad.at(-1)).toBe("s.yaml: 59900 more problems")
  })

  test("may have many aliases, and a lost one is told where it stands", () => {
    const pairs = many(20_000, (index) => `  - &a${index} x\n  - *a${index}`)

    expect(problems(["turns:", ...pairs].join("\n"))).toEqual([])
    expect(problems(["turns:", ...pairs, "  - *lost"].join("\n"))).toEqual([
      "s.yaml:40002:5 *lost names no anchor before it; add &lost"
    ])
  })

  test("has its entries bounded", () => {
    expect(problems(`settings: [${"1,".repeat(entriesMax + 1)}]`)).toEqual([
      `s.yaml:1:1 has more than ${entriesMax} entries; give a smaller scenario`
    ])
  })
})
