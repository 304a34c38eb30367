import { describe, expect, test } from "vitest"
import { readOptions } from "../../src/cli/option-table.ts"
import { proxyOptions, toProxyAsked } from "../../src/cli/proxy-options.ts"
import { finish } from "./fake-io.ts"
import { tempFolder } from "./temp-folder.ts"

const folder = tempFolder()

const asked = (...argv: ReadonlyArray<string>) => {
  const read = readOptions(proxyOptions, ["--listen", "tcp:0", ...argv])
  if (!read.ok) throw new Error(read.problems.join("\n"))
  return toProxyAsked(read.given)
}

const problem = async (...argv: ReadonlyArray<string>): Promise<string> => {
  const { code, out, err } = await finish("proxy", ...argv)
  expect({ code, out }).toEqual({ code: 2, out: "" })
  return err.split("\n\nRun ")[0] ?? ""
}

const ends = ["--listen", "tcp:0", "--upstream", "./up.sock"]

describe("understudy proxy", () => {
  test("shows every option with --help, and how it is used", async () => {
    const { code, out, err } = await finish("proxy", "--help")

    expect({ code, err }).toEqual({ code: 0, err: "" })
    const missing = Object.keys(proxyOptions).filter((name) => !new RegExp(`^ {2}--${name}( |$)`, "m").test(out))
    expect(missing).toEqual([])
    expect(out).toContain("\nExamples:\n")
    expect(out.split("\n").filter((line) => line.length > 120)).toEqual([])
  })

  test("needs to know both ends, and tells all that is wrong", async () => {
    expect((await problem()).split("\n")).toEqual([
      "understudy proxy: it needs a place for its clients; add --listen unix:PATH, or --listen tcp:0 for any free port",
      "understudy proxy: it needs somebody to connect them to; add --upstream unix:PATH, tcp:HOST:PORT or http://HOST:PORT"
    ])
    expect((await problem("--listen", "here", "--seed=-1", "--tail", "keep", "plan.yaml")).split("\n")).toEqual([
      expect.stringMatching(/^understudy proxy: --listen is "here"; give unix:PATH or tcp:HOST:PORT, /),
      'understudy proxy: --seed is "-1"; give a whole number from 0 to 4294967295',
      'understudy proxy: --tail is "keep"; give "forward" or "drop"',
      'understudy proxy: unexpected argument "plan.yaml"; did you mean --plan "plan.yaml"?'
    ])
  })

  test.each([
    [["--listen", "./a.sock", "--upstream", `${process.cwd()}/b/../a.sock`], "--listen and --upstream are the same"],
    [["--listen", "./a.sock", "--upstream", "unix:./a.sock"], "--listen and --upstream are the same"],
    [
      ["--listen", "./a.sock", "--upstream", "./b.sock", "--control", "./a.sock"],
      "--listen and --control are the same"
    ],
    [[...ends, "--framing", "ndsjon"], 'did you mean "ndjson"?'],
    [[...ends, "--framing", '{"type":'], "--framing is no JSON: "],
    [
      [...ends, "--framing", '{"type":"lengthPrefixed","prefixBytes":3}'],
      "--framing is refused: `prefixBytes` of the framing is 3; use one of 1, 2, 4, 8"
    ],
    [[...ends, "--control", "tcp:0.0.0.0:1"], '--control is "tcp:0.0.0.0:1"; only this machine is served']
  ])("refuses %j", async (argv, says) => {
    expect(await problem(...argv)).toContain(says)
  })

  test("takes the framing of its upstream where none is given", () => {
    expect(asked("--upstream", "./up.sock")).toMatchObject({ framing: "lengthPrefixed" })
    expect(asked("--upstream", "http://localhost:1")).toMatchObject({ framing: "http" })
    expect(asked("--upstream", "http://localhost:1", "--framing", "opaque")).toMatchObject({ framing: "opaque" })
    expect(asked("--upstream", "./up.sock", "--framing", '{"type":"lengthPrefixed","endian":"little"}')).toMatchObject({
      framing: { type: "lengthPrefixed", endian: "little", prefixBytes: 4 }
    })
  })
})

describe("the plan of understudy proxy", () => {
  const refusal = async (name: string, text: string): Promise<ReadonlyArray<string>> => {
    const file = folder.write(name, text)
    const { code, out, err } = await finish("proxy", ...ends, "--plan", file)
    expect({ code, out }).toEqual({ code: 1, out: "" })
    return err.replaceAll(file, name).split("\n")
  }

  test("is refused with file, line, column and member", async () => {
    const yaml = ["rules:", "  - action: drop", "  - match: { index: 2 }", "    action:", "      type: sevr"].join("\n")
    expect(await refusal("p.yaml", yaml)).toEqual([
      'understudy: cannot use the plan "p.yaml"; put this right and start again:',
      expect.stringMatching(/^p\.yaml:5:7 `rules\[1\]\.action\.type` of the fault plan is "sevr"; use one of drop, /)
    ])
    expect(await refusal("p.json", '{\n  "dropFrme": 1\n}')).toEqual([
      'understudy: cannot use the plan "p.json"; put this right and start again:',
      'p.json:2:3 `dropFrme` of the fault plan is not known; did you mean "dropFrame"?'
    ])
    expect((await refusal("q.yaml", 'rules:\n  - match: { where: {} }\n    action: drop\n    "a b": 1'))[1]).toMatch(
      /^q\.yaml:4:5 `rules\[0\]\."a b"` of the fault plan is not known/
    )
  })

  test("that is no YAML or JSON, or cannot be read, is refused", async () => {
    expect(await refusal("bad.json", '{ "rules": [}')).toEqual([
      'understudy: cannot read "bad.json"; put this right and start again:',
      "bad.json:1:13 is no JSON: value or ] was wanted here"
    ])
    const { code, err } = await finish("proxy", ...ends, "--plan", folder.path("none.yaml"))
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/^understudy: cannot read ".*none\.yaml": ENOENT/)
    })
    expect((await finish("proxy", ...ends, "--plan", folder.path("."))).err).toContain("it is a folder; give a file")
  })
})
