import { describe, expect, test } from "vitest"
import { makeAgentStage } from "../../../properties/observation/agent-stage.ts"
import { readFakeScript } from "../../../src/harness/fake-agent/read-script.ts"
import { readProfile } from "../../../src/harness/profile/read-profile.ts"
import { makeRecorder } from "../../../src/harness/recording/recorder.ts"
import { readRecording } from "../../../src/harness/recording/recording.ts"
import { startAgent } from "../../../src/harness/session/start-agent.ts"
import { type FakeAgentProgram, fakeAgentProgram } from "./fake-agent-program.ts"
import { memoryStore } from "./fake-agent-world.ts"

/* The fake agent as a process of a simulated machine, and our own typed client of it: all in virtual time. */

const profile = readProfile({
  id: "fake",
  displayName: "fake",
  binary: { env: ["FAKE_AGENT"] },
  acp: { args: [], auth: { methodId: "fixture.api_key" }, exitsOnStdinEof: { exits: true, withinMs: 1000 } },
  sandbox: { stateDir: ".fake" }
})

const session = async (agent: FakeAgentProgram, choices: ReadonlyArray<number> = []) => {
  const stage = makeAgentStage(fakeAgentProgram(agent), { choices })
  const { sandboxes } = stage.world
  const parent = { ...sandboxes.parent, variables: { FAKE_AGENT: "/agent" } }
  const world = { ...stage.world, sandboxes: { ...sandboxes, parent } }
  const starting = startAgent(world, { profile })
  await stage.settled(starting)
  const client = await starting
  return { ...stage, client, done: stage.settled }
}

const fake = (script: unknown): FakeAgentProgram => ({ script: readFakeScript(script) })

const open = async (agent: FakeAgentProgram, choices?: ReadonlyArray<number>) => {
  const world = await session(agent, choices)
  await world.done(world.client.initialize())
  const { value } = await world.done(world.client.createSession("/w"))
  return { ...world, sessionId: String(Object(value).sessionId) }
}

const late = { method: "session/prompt", call: 2, does: { kind: "delay", ms: 2_000 } }

describe("a simulated fake agent", () => {
  test.each([[[]], [[3, 1, 2, 0, 1, 3, 2, 1, 1, 2, 3, 0, 1]]])(
    "has a session, whatever takes its time: %j",
    async (choices) => {
      const { client, sessionId, done, machine } = await open(fake({ chunks: 4, splitUtf8: true }), choices)
      const { value } = await done(client.prompt(sessionId, "say héllo"))

      expect(value).toMatchObject({ ok: true, stopReason: "end_turn" })
      expect(client.capturedText()).toBe("Echo: say héllo")
      expect((await done(client.close({ mode: "eof" }))).value).toMatchObject({ exitCode: 0, reason: "NaturalExit" })
      expect(machine.ours()).toEqual([])
    }
  )

  test("is late by exactly what was said, and too late is a timeout", async () => {
    const { client, sessionId, done, clock } = await open(
      fake({ rules: [{ method: "session/prompt", does: { kind: "delay", ms: 29_000 } }, late] })
    )
    const from = clock.now()
    const first = await done(client.prompt(sessionId, "one"))
    const second = await done(client.prompt(sessionId, "two"))

    expect(first).toMatchObject({ at: from + 29_000, value: { ok: true } })
    expect(second).toMatchObject({ at: from + 59_000, error: { _tag: "RequestTimeout", ms: 30_000 } })
  })

  test("crashes in the middle of an answer, and its client is told at once", async () => {
    const rule = { method: "session/prompt", afterChunks: 1, does: { kind: "crash", signal: "SIGSEGV" } }
    const { client, sessionId, done } = await open(fake({ rules: [rule], stderr: ["last words"] }))
    const { error } = await done(client.prompt(sessionId, "x"))

    expect(error).toMatchObject({ _tag: "AgentClosed", status: { code: null, signal: "SIGSEGV" } })
    expect(String(error)).toContain("last words")
    expect(client.capturedText()).toBe("Echo: ")
  })

  test("stays when it is asked to end, until it is killed", async () => {
    const { client, done, machine } = await open(fake({ ignoreTerm: true, ignoreEof: true }))
    const { value } = await done(client.close({ mode: "terminate" }))

    expect(value).toMatchObject({ signal: "SIGKILL" })
    expect(machine.ours()).toEqual([])
  })

  test("breaks the protocol in ways that its client sees", async () => {
    const responses = {
      method: "session/prompt",
      duplicate: true,
      extraLines: [
        { at: "before", text: "npm warn" },
        { at: "after", text: '[{"jsonrpc":"2.0"}]' }
      ]
    }
    const turn = [{ kind: "update", update: { sessionUpdate: "turn_completed" } }]
    const { client, sessionId, done } = await open(fake({ responses, turn }))
    await done(client.prompt(sessionId, "x"))
    await done(client.listSessions())

    expect(client.pollution()).toMatchObject([{ text: "npm warn" }])
    expect(new Set(client.violations().map(({ rule }) => rule)).size).toBe(3)
  })

  test("knows its sessions again in another process", async () => {
    const store = memoryStore()
    const first = await open({ ...fake({}), store })
    await first.done(first.client.prompt(first.sessionId, "remember"))
    await first.done(first.client.close({ mode: "kill" }))
    const second = await session({ ...fake({}), store })
    await second.done(second.client.initialize())
    await second.done(second.client.loadSession(first.sessionId, "/w"))

    expect(second.client.capturedText()).toBe("Echo: remember")
  })

  test("is replayed from what its client has in its log", async () => {
    const live = await open(fake({ rules: [{ method: "session/prompt", does: { kind: "delay", ms: 5 } }] }))
    await live.done(live.client.prompt(live.sessionId, "once"))
    const lines: Array<string> = []
    const recorder = makeRecorder({
      clock: live.clock,
      append: (line) => void lines.push(line),
      redact: (text) => text
    })
    for (const { direction, text } of live.client.wireLog.entries()) {
      recorder.line(direction === "in" ? "agent" : "client", text)
    }
    const recording = readRecording(`${lines.join("\n")}\n`)

    const again = await open({ recording })
    const { value } = await again.done(again.client.prompt(again.sessionId, "another text"))
    const refused = await again.done(again.client.listSessions())

    expect(value).toMatchObject({ ok: true })
    expect(again.client.capturedText()).toBe("Echo: once")
    expect(String(refused.error)).toContain("nothing more was recorded there")
  })
})
