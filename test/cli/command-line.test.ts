import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { finish } from "./fake-io.ts"

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))

describe("understudy", () => {
  test("shows its commands with --help", async () => {
    const { code, out, err } = await finish("--help")

    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(out).toContain("Usage: understudy COMMAND [options]")
    expect(out).toMatch(/^ {2}serve +\w/m)
    expect(out).toMatch(/^ {2}faults +\w/m)
  })

  test("shows the same for the word help, and with a command behind it the help of that command", async () => {
    expect(await finish("help")).toEqual(await finish("--help"))
    expect(await finish("help", "serve")).toEqual(await finish("serve", "--help"))
  })

  test("shows the version of the package, alone and after a command", async () => {
    expect(await finish("--version")).toEqual({ code: 0, out: version, err: "" })
    expect(await finish("serve", "--version")).toEqual({ code: 0, out: version, err: "" })
  })

  test.each([
    {
      argv: [],
      says: "no command was given; commands are: serve, faults, proxy, proxy-control, explore, replay, shrink, explain, agent, fake-agent"
    },
    { argv: ["sevre"], says: 'unknown command "sevre"; did you mean "serve"?' },
    {
      argv: ["dance"],
      says: 'unknown command "dance"; commands are: serve, faults, proxy, proxy-control, explore, replay, shrink, explain, agent, fake-agent'
    },
    {
      argv: ["--port", "1"],
      says: 'unknown option "--port"; a command comes first; commands are: serve, faults, proxy, proxy-control, explore, replay, shrink, explain, agent, fake-agent'
    },
    {
      argv: ["toString"],
      says: 'unknown command "toString"; commands are: serve, faults, proxy, proxy-control, explore, replay, shrink, explain, agent, fake-agent'
    }
  ])("refuses $argv with exit code 2", async ({ argv, says }) => {
    expect(await finish(...argv)).toEqual({
      code: 2,
      out: "",
      err: `understudy: ${says}\n\nRun "understudy --help" for what is allowed.`
    })
  })
})

describe("understudy serve", () => {
  test("shows every option and line command with --help, also in the place of a value", async () => {
    const { code, out, err } = await finish("serve", "--port", "--help")

    expect({ code, err }).toEqual({ code: 0, err: "" })
    const names = "port host scenario watch profile api-key log trace help version".split(" ")
    expect(names.filter((name) => !out.includes(`\n  --${name} `))).toEqual([])
    expect(out).toContain("\n  release NAME [BARRIER]  ")
  })

  test("tells every problem of its options at once, in their order, and opens nothing", async () => {
    const { code, out, err } = await finish(
      "serve",
      ...["--prot", "80", "--port", "1e3", "--host=", "--watch=yes", "stray", "--log", "josnl", "-v", "--profile"]
    )

    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err.split("\n")).toEqual([
      'understudy serve: unknown option "--prot"; did you mean "--port"?',
      'understudy serve: --port is "1e3"; give a whole number from 0 to 65535',
      "understudy serve: --host is empty; give an address of this machine, for example 127.0.0.1",
      "understudy serve: --watch takes no value; leave out the = and what follows",
      'understudy serve: unexpected argument "stray"; only options are allowed here',
      'understudy serve: --log is "josnl"; give "jsonl" or "pretty"; did you mean "jsonl"?',
      expect.stringContaining('understudy serve: unknown option "-v"; known are --port, --host, '),
      "understudy serve: --profile needs a value: full|compact",
      "",
      'Run "understudy serve --help" for what is allowed.'
    ])
  })

  test("takes a bare file name for the scenario that was meant", async () => {
    const { code, err } = await finish("serve", "s.yaml")

    expect(code).toBe(2)
    expect(err).toContain('understudy serve: unexpected argument "s.yaml"; did you mean --scenario "s.yaml"?')
  })

  test("never repeats a key that it refuses", async () => {
    const { code, err } = await finish("serve", "--api-key", "my secret")

    expect(code).toBe(2)
    expect(err).toContain("--api-key must be visible ASCII without spaces")
    expect(err).not.toContain("my secret")
  })

  test("refuses --watch without a scenario", async () => {
    const { code, err } = await finish("serve", "--watch")

    expect(code).toBe(2)
    expect(err).toContain("--watch needs a file to watch; add --scenario FILE")
  })

  test.each(["-1", "65536", "0x10", " 80", "1.5", ""])("refuses the port %j", async (port) => {
    expect((await finish("serve", `--port=${port}`)).code).toBe(2)
  })
})
