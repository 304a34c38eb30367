import { mkdirSync, readFileSync } from "node:fs"
import { expect, onTestFinished, test } from "vitest"
import { runPrompt } from "../../../src/harness/headless/run-headless.ts"
import { builtInProfile } from "../../../src/harness/profile/built-in-profiles.ts"
import { startAgent } from "../../../src/harness/session/start-agent.ts"
import { fakeAgentProcesses } from "../../cli/fake-agent-running.ts"
import { startLive } from "../../support/live-world.ts"
import { liveAgentWorld } from "../agent-world.ts"

/* The profile `fixture` with the harness and a real process; numbers are those of the scenarios of agent-harness.md, section 9. */

const { cli, folder } = fakeAgentProcesses()
const fixture = builtInProfile("fixture")

const world = () => liveAgentWorld({ FIXTURE_AGENT_BINARY: cli })

/** A session that has been initialized; it is closed when the test is over. */
const open = async (options: Partial<Parameters<typeof startAgent>[1]> = {}) => {
  const agent = await startAgent(world(), { profile: fixture, ...options })
  onTestFinished(async () => void (await agent.close({ mode: "kill" }).catch(() => {})))
  await agent.initialize()
  const { sessionId } = await agent.createSession(agent.sandbox.paths.workspace)
  return { agent, sessionId }
}

test("goes through a whole life against the mock (24, 39, 43)", async () => {
  const { server } = await startLive()
  const { agent, sessionId } = await open({ mockUrl: server.url(), leadingArgs: ["--via-mock"] })
  const reply = await agent.prompt(sessionId, "say hello")

  expect(reply).toMatchObject({ ok: true, stopReason: "end_turn" })
  expect([agent.capturedText(), server.requests().length]).toEqual(["Echo: say hello", 1])
  agent.assertClean()
  expect(await agent.close({ mode: "eof" })).toMatchObject({ exitCode: 0, reason: "NaturalExit" })
})

test("asks for permission, files and a terminal, and says what it heard (29, 31, 32)", async () => {
  const leadingArgs = [
    "--ask-permission=reject_once,allow_always,allow_once",
    "--ask-permission=",
    "--ask-fs=relative",
    "--ask-terminal=printf abc"
  ]
  const { agent, sessionId } = await open({ leadingArgs, fs: true, terminal: true })
  const reply = await agent.prompt(sessionId, "x")

  expect(reply).toMatchObject({
    ok: true,
    result: {
      _meta: {
        heard: [
          { result: { outcome: { outcome: "selected", optionId: "c" } } },
          { result: { outcome: { outcome: "cancelled" } } },
          { error: { code: -32602 } },
          { result: { terminalId: expect.any(String) } },
          { result: { exitCode: 0 } },
          { result: { output: "abc", truncated: false } },
          { kind: "result" }
        ]
      }
    }
  })
})

test("keeps its sessions in the state of the sandbox, for the next client of it (40)", async () => {
  const first = await open({ leadingArgs: ["--persist"] })
  await first.agent.prompt(first.sessionId, "remember")
  const sandbox = first.agent.takeSandbox()
  onTestFinished(() => sandbox.close())
  await first.agent.close({ mode: "kill" })
  const second = await open({ leadingArgs: ["--persist"], sandbox })
  const mark = second.agent.mark()
  await second.agent.loadSession(first.sessionId, sandbox.paths.workspace)

  expect(second.agent.updatesSince(mark).map(({ messageText }) => messageText)).toContain("Echo: remember")
})

test("has every line read by its client, and nothing else (33, 36, 41)", async () => {
  const log = folder.path("heard")
  const leadingArgs = [
    `--log-input=${log}`,
    "--pollute=before=npm warn foo",
    ...["bare", "prefixed", "wrapped"].map((shape) => `--ext-notify=${shape}=x.ai/leader_reconnected`),
    "--big-line=67108864"
  ]
  const { agent, sessionId } = await open({ leadingArgs })
  await agent.prompt(sessionId, "x")

  expect(agent.extNotifications("x.ai/leader_reconnected")).toHaveLength(3)
  expect(new Set(agent.pollution().map(({ text }) => text))).toEqual(new Set(["npm warn foo"]))
  const heard = readFileSync(log, "utf8").trimEnd().split("\n")
  expect(heard.map((line) => JSON.parse(line).method)).toEqual([
    ...["initialize", "authenticate", "session/new", "session/prompt"]
  ])
})

test.each(["text", "json", "ndjson"])("answers a prompt without a session, as %s", async (format) => {
  const cwd = folder.path(`cwd-${format}`)
  mkdirSync(cwd)
  const { exitCode, said } = await runPrompt(world(), { profile: fixture, cwd, prompt: "--hello", format })

  expect([exitCode, said.answer]).toEqual([0, "Echo: --hello"])
})
