import { describe, expect, test } from "vitest"
import { readWords, wordsOfLine } from "../../src/cli/proxy-words.ts"
import { controlCommandNames, controlUsage } from "../../src/proxy/control/control-commands.ts"
import { finish } from "./fake-io.ts"

const read = (line: string) => readWords(wordsOfLine(line), (file) => ({ file }))

describe("words of a command", () => {
  test.each([
    ["sever", { command: "sever" }],
    ["sever 2", { command: "sever", connection: 2 }],
    ["release", { command: "release" }],
    ["release 2", { command: "release", barrier: "2" }],
    ["release barrier=a=b", { command: "release", barrier: "a=b" }],
    [
      "hold go c2u '{\"index\":3}' 1 2",
      { command: "hold", barrier: "go", direction: "c2u", match: { index: 3 }, connection: 1, times: 2 }
    ],
    ['hold times=1 match=\'{"method": "a"}\'', { command: "hold", times: 1, match: { method: "a" } }],
    ['hold direction=u2c "to the end"', { command: "hold", direction: "u2c", barrier: "to the end" }],
    ["wait forwarded c2u 3 ms=5", { command: "wait forwarded", direction: "c2u", count: 3, ms: 5 }],
    ['rule add \'{"action":"drop"}\'', { command: "rule add", rule: { action: "drop" } }],
    ["rule add rule.yaml", { command: "rule add", rule: { file: "rule.yaml" } }],
    ["plan null", { command: "plan", plan: null }],
    ["plan plan=./a.json", { command: "plan", plan: { file: "./a.json" } }]
  ])("%s", (line, request) => {
    expect(read(line)).toEqual({ request })
  })

  test.each([
    ["", "no command was given; commands are: sever, hold, "],
    ["sevre", 'unknown command "sevre"; did you mean "sever"?'],
    ["rule", '"rule" is not complete; say rule add, rule remove, rule list'],
    ["wait hled", '"wait" is not complete; say wait forwarded, wait connections, wait held'],
    ["dance", 'unknown command "dance"; commands are: '],
    ["sever one", 'connection is "one"; give a whole number'],
    [
      "hold barier=go",
      'what holds a = begins with the name of its member, and there is no "barier"; did you mean "barrier"?'
    ],
    ["held x=1", 'what holds a = begins with the name of its member, and there is no "x"; there are none'],
    ["sever 1 2", '"2" is too much; it is "sever [CONNECTION]"'],
    ["sever 1 connection=2", "connection is given twice"],
    ["vanish", 'CONNECTION is missing; it is "vanish CONNECTION"'],
    ["hold match={", "match is no JSON: "]
  ])("that are wrong: %j", (line, problem) => {
    expect(read(line)).toEqual({ problem: expect.stringContaining(problem) })
  })
})

describe("understudy proxy-control", () => {
  test("shows every command with --help", async () => {
    const { code, out } = await finish("proxy-control", "--help")

    expect(code).toBe(0)
    expect(controlCommandNames.filter((name) => !out.includes(`\n  ${controlUsage(name)} `))).toEqual([])
    expect(out.split("\n").filter((line) => line.length > 120)).toEqual([])
  })

  test.each([
    [[], ["ENDPOINT is missing", "COMMAND is missing"]],
    [["./a.sock"], ["COMMAND is missing: what it is to do"]],
    [["a.sock", "sever"], ['ENDPOINT is "a.sock"; give unix:PATH']],
    [["./a.sock", "sevre"], ['unknown command "sevre"; did you mean "sever"?']]
  ])("refuses %j with exit code 2", async (argv, says) => {
    const { code, out, err } = await finish("proxy-control", ...argv)

    expect({ code, out }).toEqual({ code: 2, out: "" })
    for (const words of says) expect(err).toContain(words)
  })

  test("fails where nobody is", async () => {
    const { code, out, err } = await finish("proxy-control", "/nowhere/control.sock", "sever")

    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(err).toMatch(/^understudy: no proxy is commanded there: .*ENOENT.*; give what --control of a running/)
  })
})
