import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { BinaryNotFound, SpawnCwdMissing } from "../../../src/domain/harness-errors.ts"
import { makeSandbox } from "../../../src/harness/sandbox/sandbox.ts"
import { startLive } from "../../support/live-world.ts"
import { gone } from "../process-world.ts"
import { caught } from "./echo-agent.ts"
import { openSmall, smallAgent, smallWorld, startSmall } from "./live-agent.ts"

/** The numbers are those of the scenarios of agent-harness.md, section 9. */

describe("a session with a real process", () => {
  it("goes through a whole life, and leaves nothing (24, 39)", async () => {
    const world = smallWorld()
    const { server } = await startLive()
    const { agent, sessionId } = await openSmall(world, { mockUrl: server.url() })
    const reply = await agent.prompt(sessionId, "mock say hello")

    expect(reply).toMatchObject({ ok: true, stopReason: "end_turn" })
    expect([agent.capturedText(), server.requests().length]).toEqual(["Echo: say hello", 1])
    agent.assertClean()
    const { root } = agent.sandbox.paths
    expect(await agent.close({ mode: "eof" })).toMatchObject({ exitCode: 0, signal: null, reason: "NaturalExit" })
    expect([existsSync(root), world.host.alive(), world.processes.supervisor.alive()]).toEqual([false, [], 1])
  })

  it("has all chunks of one write when the prompt resolves (28)", async () => {
    const { ask } = await openSmall(smallWorld())
    const expected = Array.from({ length: 50 }, (_, index) => `${index},`).join("")

    for (let turn = 0; turn < 50; turn++) expect(await ask("chunks 50")).toBe(expected)
  })

  it("answers permissions and nothing that it was not asked (29, 33)", async () => {
    const { agent, ask } = await openSmall(smallWorld())
    const options = [
      ["reject_once", "a"],
      ["allow_once", "b"]
    ].map(([kind, optionId]) => ({ kind, optionId, name: "" }))
    const answer = await ask(`ask ${JSON.stringify(["session/request_permission", { options }])}`)
    await ask("noise npm warn foo")
    const heard: ReadonlyArray<string> = JSON.parse(await ask("heard"))

    expect(JSON.parse(answer).result).toEqual({ outcome: { outcome: "selected", optionId: "b" } })
    expect(agent.pollution()).toMatchObject([{ text: "npm warn foo" }])
    expect(heard.map((line) => JSON.parse(line).method ?? "answer")).toEqual([
      "initialize",
      "authenticate",
      "session/new",
      "session/prompt",
      "answer",
      "session/prompt",
      "session/prompt"
    ])
  })

  it("tells at once of an agent that exits in a turn, with its last words (38)", async () => {
    const world = smallWorld()
    const { agent, sessionId } = await openSmall(world)
    const pid = agent.pid() ?? 0
    const error = await caught(agent.prompt(sessionId, "exit 3", { deadlineMs: null }))

    expect(error).toMatchObject({ _tag: "AgentClosed", status: { code: 3, signal: null } })
    expect(String(error)).toContain("small agent stdio has ended with exit code 3; the end of its stderr:\nit hurts")
    expect(await agent.close()).toMatchObject({ exitCode: 3, reason: "NaturalExit" })
    await gone(world.host, pid)
  })

  it("hands its sandbox on, so that another session goes on from there (40)", async () => {
    const world = smallWorld()
    const first = await openSmall(world)
    await first.ask("say one")
    await using sandbox = first.agent.takeSandbox()
    expect(() => first.agent.takeSandbox()).toThrow("taken already")
    expect(() => first.agent.sandbox).toThrow("was taken")
    expect(await first.ask("say two")).toBe("Echo: say two")
    await first.agent.close()

    const second = await startSmall(world, { sandbox })
    expect(() => second.takeSandbox()).toThrow("the caller's already")
    await second.initialize()
    await second.loadSession(first.sessionId, sandbox.paths.workspace)
    expect([second.capturedText(), second.notificationCount(first.sessionId)]).toEqual([
      "Echo: say oneEcho: say two",
      2
    ])
    await second.close()
    expect(existsSync(sandbox.paths.root)).toBe(true)
  })

  it("reads lines of 64 MiB, and ends an agent that writes a longer one (41)", async () => {
    const { agent, ask, sessionId } = await openSmall(smallWorld())
    await ask(`line ${67_108_864}`)
    expect(agent.extNotificationCount("pad")).toBe(1)

    expect(await caught(agent.prompt(sessionId, `line ${67_108_865}`))).toMatchObject({
      _tag: "FrameTooLarge",
      limit: 67_108_864
    })
    expect(await agent.close()).toMatchObject({ reason: "GracefulTerminate" })
  }, 60_000)

  it("cancels a turn (42)", async () => {
    const { agent, sessionId } = await openSmall(smallWorld())
    const reply = agent.prompt(sessionId, "slow")
    agent.cancel(sessionId)

    expect(await reply).toMatchObject({ ok: true, stopReason: "cancelled" })
    const sent = agent.wireLog.entries().filter(({ direction }) => direction === "out")
    expect(sent.at(-1)?.parsed).toEqual({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId } })
  })

  it("puts flags of the caller before those of the mode, and variables over the sandbox (43)", async () => {
    const { ask } = await openSmall(smallWorld(), { leadingArgs: ["--debug"], env: { FIXTURE_X: "1", PAGER: "less" } })

    expect(JSON.parse(await ask("args"))).toEqual(["--debug", "agent", "stdio"])
    // A sandbox is not asked for a pager.
    expect(JSON.parse(await ask("env"))).toMatchObject({ FIXTURE_X: "1", PAGER: "cat" })
  })

  it("is started with its model where the profile has a variable for that, and refuses it elsewhere", async () => {
    const world = smallWorld()
    const { acp } = smallAgent
    if (acp === null) throw new Error("the small agent speaks ACP")
    const profile = { ...smallAgent, acp: { ...acp, modelSelection: { env: "FIXTURE_MODEL" } } }
    const { ask } = await openSmall(world, { profile, model: "m" })

    expect(JSON.parse(await ask("env"))).toMatchObject({ FIXTURE_MODEL: "m" })
    expect(await caught(startSmall(world, { model: "m" }))).toMatchObject({
      _tag: "ProfileInvalid",
      field: "acp.modelSelection"
    })
  })

  it("is not started where it cannot be, with a sandbox to look at and none left", async () => {
    const world = smallWorld()
    const noFolder = await caught(startSmall(world, { cwd: "/no/such/folder" }))
    const noProgram = await caught(startSmall(liveWorldWithout(), { profile: smallAgent }))

    expect(noFolder).toBeInstanceOf(SpawnCwdMissing)
    expect(String(noFolder)).toContain("workspace")
    expect(noProgram).toBeInstanceOf(BinaryNotFound)
    expect(readdirSync(world.baseFolder)).toEqual([])
  })

  it("ends with its sandbox, whoever closes that", async () => {
    const world = smallWorld()
    const sandbox = await makeSandbox(world.sandboxes, { profile: smallAgent })
    const { agent, sessionId } = await openSmall(world, { sandbox })
    const left = caught(agent.prompt(sessionId, "slow", { deadlineMs: null }))
    await sandbox.close()

    expect(await left).toMatchObject({ _tag: "AgentClosed", status: { signal: "SIGKILL" } })
    await agent.close()
    expect(world.host.alive()).toEqual([])
  })
})

const liveWorldWithout = () => {
  const world = smallWorld()
  return { ...world, sandboxes: { ...world.sandboxes, parent: { ...world.sandboxes.parent, variables: {} } } }
}

describe("files", () => {
  it("are refused unless they are asked for (31)", async () => {
    const { ask } = await openSmall(smallWorld())
    const answer = JSON.parse(await ask(`ask ${JSON.stringify(["fs/read_text_file", { path: "/etc/passwd" }])}`))

    expect(answer.error).toMatchObject({ code: -32_601, data: { method: "fs/read_text_file" } })
  })

  it("are read and written in the workspace alone (31)", async () => {
    const { agent, ask, sessionId } = await openSmall(smallWorld(), { fs: true })
    const { workspace, root } = agent.sandbox.paths
    writeFileSync(join(workspace, "a"), "one\ntwo\nthree\n")
    writeFileSync(join(root, "secret"), "no")
    symlinkSync(join(root, "secret"), join(workspace, "link"))
    symlinkSync(join(root, "new"), join(workspace, "dangling"))
    symlinkSync(root, join(workspace, "up"))
    const call = async (method: string, params: object) =>
      JSON.parse(await ask(`ask ${JSON.stringify([`fs/${method}_text_file`, { sessionId, ...params }])}`))
    const read = (path: string, rest = {}) => call("read", { path, ...rest })

    expect((await read(join(workspace, "a"))).result).toEqual({ content: "one\ntwo\nthree\n" })
    expect((await read(join(workspace, "a"), { line: 2, limit: 1 })).result).toEqual({ content: "two\n" })
    for (const path of ["../x", "a"]) expect((await read(path)).error.code).toBe(-32_602)
    for (const name of ["../secret", "link", "up/secret", "dangling"])
      expect((await read(`${workspace}/${name}`)).error.message).toContain("outside of the workspace")
    expect((await read(join(workspace, "none"))).error.code).toBe(-32_002)
    expect((await call("write", { path: join(workspace, "b"), content: "new" })).result).toBe(null)
    expect(readFileSync(join(workspace, "b"), "utf8")).toBe("new")
    for (const name of ["up/new", "dangling", "link"])
      expect((await call("write", { path: join(workspace, name), content: "x" })).error.code).toBe(-32_602)
    expect([existsSync(join(root, "new")), readFileSync(join(root, "secret"), "utf8")]).toEqual([false, "no"])
    const [first] = agent.wireLog.entries()
    expect(first?.parsed).toMatchObject({
      params: { clientCapabilities: { fs: { readTextFile: true, writeTextFile: true } } }
    })
  })
})

describe("terminals", () => {
  it("run commands, and end with their release or their session (32)", async () => {
    const world = smallWorld()
    const { agent, ask, sessionId } = await openSmall(world, { terminal: true })
    const call = async (method: string, params: object) =>
      JSON.parse(await ask(`ask ${JSON.stringify([`terminal/${method}`, { sessionId, ...params }])}`))
    const create = async (command: string, args: ReadonlyArray<string>, rest = {}) =>
      (await call("create", { command, args, ...rest })).result

    const printed = await create("printf", ["abc"])
    expect((await call("wait_for_exit", printed)).result).toEqual({ exitCode: 0, signal: null })
    expect((await call("output", printed)).result).toEqual({
      output: "abc",
      truncated: false,
      exitStatus: { exitCode: 0, signal: null }
    })
    const variables = [{ name: "X", value: "é-é" }]
    const cut = await create("sh", ["-c", "printf $X; printf $HOME >&2"], { env: variables, outputByteLimit: 0 })
    await call("wait_for_exit", cut)
    expect((await call("output", cut)).result).toMatchObject({ output: "", truncated: true })

    const sleepers = [await create("sleep", ["1000"]), await create("sleep", ["1000"]), await create("sleep", ["1000"])]
    const [killed, released] = sleepers
    await call("kill", killed)
    expect((await call("output", killed)).result.exitStatus).toEqual({ exitCode: null, signal: "SIGKILL" })
    await call("release", released)
    expect((await call("output", released)).error.code).toBe(-32_002)
    expect((await call("create", { command: "/no/such" })).error.code).toBe(-32_002)
    expect((await call("create", { command: "true", cwd: "here" })).error.code).toBe(-32_602)
    // The agent and one that sleeps.
    expect(world.host.alive()).toHaveLength(2)
    await agent.close()
    expect(world.host.alive()).toEqual([])
  })
})
