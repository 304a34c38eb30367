import { describe, expect, test } from "vitest"
import { builtInProfile, builtInProfileIds } from "../../../src/harness/profile/built-in-profiles.ts"
import { loadProfile } from "../../../src/harness/profile/load-profile.ts"
import { acpArguments, headlessArguments } from "../../../src/harness/profile/program-arguments.ts"
import { makeSimFiles } from "../../../src/sim/files.ts"

const values = { home: "/s/home", stateDir: "/s/home/.x", workspace: "/s/workspace", temp: "/s/tmp" }
const asked = { prompt: "hello {model}", cwd: "/s/workspace" }

test("there are twelve, and each is read under its own id", () => {
  expect(builtInProfileIds).toEqual([
    ...["grok", "codex", "codex-acp", "claude", "claude-agent-acp", "claude-code-acp"],
    ...["dsh", "gemini", "qwen", "opencode", "pi", "fixture"]
  ])
  expect(builtInProfileIds.map((id) => builtInProfile(id).id)).toEqual(builtInProfileIds)
})

test("each says how far it was tried, mode by mode", () => {
  const tried = builtInProfileIds.map((id) => {
    const { acp, headless } = builtInProfile(id)
    return { id, tried: builtInProfile(id).tried, acp: acp !== null, headless: headless !== null }
  })

  for (const profile of tried) {
    expect([profile.id, profile.tried.acp !== "none", profile.tried.headless !== "none"]).toEqual([
      profile.id,
      profile.acp,
      profile.headless
    ])
  }
})

test("one that is not there is refused, with the one that was probably meant", () => {
  expect(() => builtInProfile("codx")).toThrow('there is no built-in profile "codx"; did you mean "codex"?')
  expect(() => builtInProfile("zzzzzz")).toThrow(/; there are grok, codex, /)
})

test.each(builtInProfileIds.filter((id) => builtInProfile(id).headless !== null))(
  "%s can be asked every format, and the prompt stays one argument as it is",
  (id) => {
    const profile = builtInProfile(id)
    for (const format of Object.keys(profile.headless?.formats ?? {})) {
      const { args } = headlessArguments(profile, { ...asked, format })

      expect(args.filter((arg) => arg === asked.prompt)).toHaveLength(1)
      expect(args.join(" ").replace(asked.prompt, "")).not.toMatch(/\{\w+\}/)
    }
  }
)

describe("arguments", () => {
  test("of grok are those of its documentation", () => {
    const grok = builtInProfile("grok")

    expect(acpArguments(grok, { values })).toEqual(["agent", "stdio"])
    expect(acpArguments(grok, { values, leadingArgs: ["--debug"] })).toEqual(["--debug", "agent", "stdio"])
    expect(headlessArguments(grok, { prompt: "hi", cwd: "/w", format: "json" }).args).toEqual(
      "-p hi --yolo --output-format json".split(" ")
    )
    expect(grok.leader?.mockEnv).toHaveLength(6)
  })

  test("of codex differ by format", () => {
    const codex = builtInProfile("codex")

    expect(headlessArguments(codex, { prompt: "hi", cwd: "/w" }).args).toContain("--json")
    expect(headlessArguments(codex, { prompt: "hi", cwd: "/w", format: "text" }).args).not.toContain("--json")
  })

  test("of the fixture name our own command, and its flags come behind", () => {
    const fixture = builtInProfile("fixture")

    expect(acpArguments(fixture, { values, leadingArgs: ["--one-write"] })).toEqual(["fake-agent", "--one-write"])
    expect(fixture.binary.package).toEqual({ name: "llm-understudy", bin: "understudy" })
  })

  test("take a model where there is a place for it", () => {
    const pi = builtInProfile("pi")

    expect(headlessArguments(pi, { prompt: "hi", cwd: "/w" }).args).toEqual(["--model", "mock/mock-model", "-p", "hi"])
    expect(headlessArguments(pi, { prompt: "hi", cwd: "/w", model: "a/b" }).args).toEqual([
      "--model",
      "a/b",
      "-p",
      "hi"
    ])
    expect(() => headlessArguments(builtInProfile("codex"), { ...asked, model: "m" })).toThrow(/takes no model/)
  })

  test("are refused for what an agent cannot do", () => {
    expect(() => acpArguments(builtInProfile("pi"), { values })).toThrow("pi does not speak ACP")
    expect(() => headlessArguments(builtInProfile("codex-acp"), asked)).toThrow("codex-acp has no headless mode")
    expect(() => headlessArguments(builtInProfile("grok"), { ...asked, format: "jsn" })).toThrow('did you mean "json"?')
  })
})

test("a profile that is no built-in one comes from a JSON file", async () => {
  const files = makeSimFiles()
  const parent = { platform: "linux", variables: {}, cwd: "/repo" }
  const mine = { id: "mine", binary: { command: "mine" }, acp: { args: [] }, sandbox: { stateDir: ".mine" } }
  files.put("/repo/agents/mine.json", JSON.stringify(mine))

  expect((await loadProfile("agents/mine.json", { parent, files })).id).toBe("mine")
  expect((await loadProfile("grok", { parent, files })).id).toBe("grok")
  await expect(loadProfile("gone.json", { parent, files })).rejects.toMatchObject({ _tag: "ProfileInvalid" })
  await expect(loadProfile("gork", { parent, files })).rejects.toThrow('did you mean "grok"?')
})

/* Source: agent-harness.md, sections 1.8 and 5.1 */
test("grok starts, leads and ends as its row of the specification says", () => {
  const { acp, leader, signals, headless } = builtInProfile("grok")

  expect(acp).toMatchObject({
    args: ["agent", "stdio"],
    leadingArgsPosition: "before",
    exitsOnStdinEof: { exits: true, withinMs: 30_000 }
  })
  expect(leader).toMatchObject({
    args: ["agent", "leader", "--no-exit-on-disconnect", "--relay-on-demand", "--no-auto-update"],
    clientArgs: ["agent", "--leader", "stdio"],
    socketEnv: "GROK_LEADER_SOCKET",
    files: { socket: "leader.sock", lock: "leader.lock", log: "leader.log", events: "logs/unified.jsonl" },
    notifications: {
      reconnected: "x.ai/leader_reconnected",
      modelsUpdate: "x.ai/models/update",
      settingsUpdate: "x.ai/settings/update"
    }
  })
  expect(signals).toEqual({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })
  expect(Object.values(headless?.formats ?? {}).map(({ value }) => value)).toEqual([
    "plain",
    "json",
    "streaming-json",
    "streaming-messages-json"
  ])
})
