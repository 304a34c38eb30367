import { describe, expect, test } from "vitest"
import { requestTable, seeRequests } from "../../src/cli/agent-requests.ts"
import { readUpdates } from "../../src/cli/agent-updates.ts"
import { builtInProfileIds } from "../../src/harness/profile/built-in-profiles.ts"
import { finish } from "./fake-io.ts"
import { tempFolder } from "./temp-folder.ts"

const folder = tempFolder()

describe("agent --list", () => {
  test("shows every built-in profile, how far it was tried, and how to have it", async () => {
    const { code, out } = await finish("agent", "--list")

    expect(code).toBe(0)
    for (const id of builtInProfileIds) expect(out).toMatch(new RegExp(`^${id} {2,}`, "m"))
    expect(out).toMatch(/^grok +ACP \(tried\), headless \(tried: text, json, ndjson, messages\), leader$/m)
    expect(out).toMatch(/not found: set \w+ to its path, or npm install -D \S+ \(for all folders: -g\)$/m)
    expect(out).toMatch(/^pi +headless \(tried: text, ndjson\)$/m)
  })

  test("is one record with --json", async () => {
    const { out } = await finish("agent", "--list", "--json")
    const { type, profiles } = JSON.parse(out)

    expect(type).toBe("agents")
    expect(profiles.map(({ id }: { readonly id: string }) => id)).toEqual(builtInProfileIds)
    expect(profiles).toContainEqual(
      expect.objectContaining({ id: "codex", acp: null, formats: ["ndjson", "text"], wires: ["Responses"] })
    )
  })
})

describe("agent is refused with exit code 2", () => {
  const broken = folder.write("broken.json", '{"id":"x","binary":{"comand":"x"},"sandbox":{"stateDir":".x"}}')
  const large = folder.write("large.json", " ".repeat(4 * 1024 * 1024 + 1))
  const acpOnly = folder.write(
    "acp-only.json",
    '{"id":"a","displayName":"a","binary":{"env":["A"]},"acp":{"args":[]},"sandbox":{"stateDir":".a"}}'
  )

  test.each([
    [[], "PROFILE is missing"],
    [["fixture"], "nothing to say: give --prompt TEXT, or --acp"],
    [["fixtur", "--prompt", "x"], 'there is no built-in profile "fixtur"; did you mean "fixture"?'],
    [[broken, "--prompt", "x"], "`binary.comand`"],
    [[folder.path("nowhere.json"), "--prompt", "x"], "could not be read: ENOENT"],
    [["/dev/zero", "--prompt", "x"], "/dev/zero could not be read: it is a pipe, a socket or a device; give a file"],
    [["./", "--prompt", "x"], "could not be read: it is a folder; give a file"],
    [[large, "--prompt", "x"], "could not be read: it is larger than 4194304 bytes"],
    [[acpOnly, "--prompt", "x"], "a has no headless mode; add --acp"],
    [["pi", "--acp"], "pi does not speak ACP; leave out --acp, and give --prompt TEXT"],
    [["codex-acp", "--acp", "--model", "m"], "is given no model over ACP; leave out --model"],
    [["fixture", "--prompt", "x", "--format", "jso"], 'fixture has no format "jso"; did you mean "json"?'],
    [["fixture", "--acp", "--format", "json"], "--format is for headless runs"],
    [["fixture", "--prompt", "x", "--permissions", "ask"], "--permissions is for ACP"],
    [["fixture", "--prompt", "x", "--cwd", "/", "--git"], "--git is about the workspace of the sandbox"],
    [["fixture", "--prompt", "x", "--env", "NAME"], 'is "NAME"; give a variable as NAME=VALUE'],
    [["fixture", "--prompt", "x", "--timeout", "0"], "give a whole number from 1"],
    [["fixture", "answers.yaml"], 'did you mean --scenario "answers.yaml"?'],
    [["fixture", "--list"], "--list shows all profiles"]
  ])("%j", async (words, message) => {
    const { code, out, err } = await finish("agent", ...words)

    expect([code, out]).toEqual([2, ""])
    expect(err).toContain(message)
  })
})

test.each([
  [["--scenario", folder.path("nowhere.yaml")], "cannot serve"],
  [["--trace", folder.path("no/trace.jsonl")], "cannot write the trace"]
])("agent fails before anything is started with %j", async (words, message) => {
  const { code, err } = await finish("agent", "fixture", "--prompt", "x", ...words)

  expect(code).toBe(1)
  expect(err).toContain(message)
})

test("an agent that is not there is told of with where it was looked for, and how to have it", async () => {
  const profile = {
    id: "gone",
    displayName: "gone",
    binary: { env: ["GONE_BINARY"], command: "no-such-agent", package: { name: "no-such-package", bin: "x" } },
    headless: { args: ["{prompt}"] },
    sandbox: { stateDir: ".gone" }
  }
  const { code, err } = await finish("agent", folder.write("gone.json", JSON.stringify(profile)), "--prompt", "x")

  expect(code).toBe(1)
  expect(err.split("\n")).toEqual([
    "understudy agent: the program of gone was not found: GONE_BINARY is not set, the package no-such-package is not " +
      "installed here, there is no no-such-agent on PATH; set GONE_BINARY to its path, or run `npm install -D no-such-package`",
    "for all folders: npm install -g no-such-package"
  ])
})

describe("updates", () => {
  const update = (kind: string, members: object) => ({
    kind,
    update: { sessionUpdate: kind, ...members },
    messageText: null
  })

  test("of a tool call are told when its status has changed, by the newest title", () => {
    const { read } = readUpdates()
    const content = [{ type: "content", content: { type: "text", text: "tide\nout" } }]
    const said = [
      update("tool_call", { toolCallId: "1", title: "run" }),
      update("tool_call_update", { toolCallId: "1", title: "Run `ls`" }),
      update("tool_call_update", { toolCallId: "1", status: "completed", content })
    ].flatMap(read)

    expect(said.map(({ text }) => text)).toEqual(["tool run: pending", "tool Run `ls`: completed: tide\\nout"])
  })

  test("hold thoughts back until something else comes, and show nothing that could move a cursor", () => {
    const { read, rest } = readUpdates()
    const thought = (text: string) => update("agent_thought_chunk", { content: { type: "text", text } })
    const said = [
      thought("I "),
      thought("see\u001b[2J"),
      update("plan", { entries: [{ status: "completed" }, {}] }),
      update("usage_update", {}),
      thought("so")
    ].flatMap(read)

    expect(said.map(({ text }) => text)).toEqual(["thought: I see\\u{1b}[2J", "plan: 1 of 2 done"])
    expect([...rest(), ...rest()].map(({ text }) => text)).toEqual(["thought: so"])
  })
})

test("a table of requests says what answered, and what was not answered to its end", () => {
  const seen = seeRequests({ mode: { kind: "echo" }, statusOf: (number) => (number === 3 ? null : 200) })
  const request = (number: number, at: number) =>
    seen.see({ type: "request", request: number, method: "POST", path: "/v1/x", index: 0, at })
  const decided = { actor: 1, endpoint: "Responses", kind: "foreground", miss: null, index: 0, at: 0 } as const
  request(1, 10)
  seen.see({ type: "decision", request: 1, source: "replay", expectation: "tide", ...decided })
  seen.see({ type: "ended", request: 1, outcome: "client_closed", bytes: 1, events: 1, index: 0, at: 12.4 })
  seen.see({ type: "refused", method: "GET", path: "/v1/\u001b[2J", status: 404, index: 0, at: 13 })
  request(3, 14)
  seen.see({ type: "decision", request: 3, source: "mode", expectation: null, ...decided })

  expect(requestTable(seen.rows())).toEqual([
    "method  path           kind        answer          status               ms",
    "POST    /v1/x          foreground  replay of tide     200  2 client_closed",
    "GET     /v1/\\u{1b}[2J  -           refused            404                0",
    "POST    /v1/x          foreground  echo                 -             open"
  ])
})
