import { describe, expect, it } from "vitest"
import { builtInProfile } from "../../../src/harness/profile/built-in-profiles.ts"
import type { AgentSession } from "../../../src/harness/session/agent-session.ts"
import { but, caught, echo } from "./echo-agent.ts"
import { chunk, type LineSide, type SimAnswer, startSimSession } from "./sim-session.ts"

/** Numbers are those of the scenarios of agent-harness.md, section 9. */

const grokAcp = () => {
  const { acp } = builtInProfile("grok")
  if (acp === null || acp.auth === "none" || !("methodId" in acp.auth)) throw new Error("grok has changed")
  return {
    auth: { methodId: acp.auth.methodId, meta: acp.auth.meta },
    initializeMeta: acp.initializeMeta,
    clientCapabilities: acp.clientCapabilities
  }
}

describe("a session", () => {
  it("goes through a whole life (24)", async () => {
    const { session, until, told, releases } = startSimSession(echo)
    await until(session.initialize())
    const { sessionId } = await until(session.createSession("/w"))
    const reply = await until(session.prompt(sessionId, "hello"))

    expect(reply).toMatchObject({ ok: true, stopReason: "end_turn" })
    expect([session.capturedText(), session.notificationCount(), session.capturedText("s2")]).toEqual([
      "Echo: hello",
      2,
      ""
    ])
    session.assertClean()
    expect(await until(session.close({ mode: "eof" }))).toMatchObject({ exitCode: 0, reason: "NaturalExit" })
    expect(releases()).toBe(1)
    expect(told).toEqual(["initialize", "session/new", "prompt"].map((what) => `[harness-timing] ${what}: 0 ms`))
  })

  it("says nothing of durations when that is not wanted", async () => {
    const { session, until, told } = startSimSession(echo, { timing: false })
    await until(session.initialize())

    expect(told).toEqual([])
  })

  it("initializes and authenticates with exactly what the profile says (25)", async () => {
    const { session, until, heard } = startSimSession(echo, { acp: grokAcp() })
    const result = await until(session.initialize())

    expect(result).toEqual({ protocolVersion: 1, authMethods: [{ id: "xai.api_key" }] })
    expect(heard.map((line) => JSON.parse(line))).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: 1,
          clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
          _meta: {
            startupHints: { nonInteractive: true, skipGitStatus: true, skipProjectLayout: true },
            clientType: "test-client",
            clientVersion: "0.0.0-test"
          }
        }
      },
      {
        jsonrpc: "2.0",
        id: 2,
        method: "authenticate",
        params: { methodId: "xai.api_key", _meta: { headless: true } }
      }
    ])
  })

  it("says what an agent offers that does not offer the profile's way to authenticate (26)", async () => {
    const agent = but("initialize", (message, side) =>
      side.result(message, { protocolVersion: 1, authMethods: [{ id: "other" }] })
    )
    const { session, until, heard } = startSimSession(agent, { acp: grokAcp() })
    const error = await until(caught(session.initialize()))

    expect(error).toMatchObject({ _tag: "UnsupportedControl" })
    expect(String(error)).toMatch(/xai\.api_key; it offers other\. The id of the method may have changed/)
    expect(heard).toHaveLength(1)
  })

  it("takes the first way of the profile that is offered", async () => {
    const agent = but("initialize", (message, side) =>
      side.result(message, { protocolVersion: 1, authMethods: [{ id: "c" }, { id: "b" }] })
    )
    const { session, until, heard } = startSimSession(agent, { acp: { auth: { anyOf: ["a", "b", "c"] } } })
    await until(session.initialize())

    expect(heard[1]).toContain('"params":{"methodId":"b"}')
  })

  it("refuses another version of the protocol unless it is allowed", async () => {
    const agent = but("initialize", (message, side) => side.result(message, { protocolVersion: 2 }))
    const { session, until } = startSimSession(agent)

    expect(await until(caught(session.initialize()))).toMatchObject({ _tag: "ProtocolViolation" })
    expect(await until(session.initialize({ allowOtherVersion: true }))).toEqual({ protocolVersion: 2 })
  })

  it.each([1, 2])("gives the handshake 20 s, times the scale %d (27)", async (scale) => {
    const silent = startSimSession(() => {}, { scale, program: (side) => complaining(side) })
    const error = await silent.until(caught(silent.session.initialize()))

    expect(error).toMatchObject({ _tag: "RequestTimeout", what: "initialize", ms: 20_000 * scale })
    expect(String(error)).toContain("no key, no answer")
    expect(silent.clock.now()).toBe(20_000 * scale)
  })

  it("gives both parts of the handshake 20 s together", async () => {
    const agent = but("authenticate", () => {})
    const { session, until, clock } = startSimSession(agent, { acp: grokAcp() })

    expect(await until(caught(session.initialize()))).toMatchObject({ what: "initialize", ms: 20_000 })
    expect(clock.now()).toBe(20_000)
  })

  it("takes a late answer quietly, and a second one for a duplicate", async () => {
    const asked: Array<unknown> = []
    const late = startSimSession((message, side) => {
      if (message["method"] === "slow") asked.push(message)
      else for (const old of asked) side.result(old, {})
      if (message["method"] !== "slow") side.result(message, {})
    })
    const error = await late.until(caught(late.session.request("slow", {}, { deadlineMs: 10 })))
    await late.until(late.session.request("now", {}))

    expect(error).toMatchObject({ _tag: "RequestTimeout", what: "slow", ms: 10 })
    expect(late.session.violations()).toEqual([])
    await late.until(late.session.request("now", {}))
    expect(late.session.violations()).toMatchObject([{ rule: "duplicate response" }])
  })

  const waits: ReadonlyArray<readonly [string, number, string, (session: AgentSession) => Promise<unknown>]> = [
    ["createSession", 20_000, "session/new", (session) => session.createSession("s1")],
    ["createSessionWithModel", 20_000, "session/new with modelId=m", (one) => one.createSessionWithModel("s1", "m")],
    ["setModel", 20_000, "session/set_model(m)", (session) => session.setModel("s1", "m")],
    ["prompt", 30_000, "prompt", (session) => session.prompt("s1", "m")],
    ["loadSession", 60_000, "session/load", (session) => session.loadSession("s1", "m")],
    ["closeSession", 20_000, "session/close", (session) => session.closeSession("s1")]
  ]
  it.each(waits)("waits for %s %d ms", async (_name, ms, what, ask) => {
    const { session, until, clock } = startSimSession(() => {})
    const error = await until(caught(ask(session)))

    expect(error).toMatchObject({ _tag: "RequestTimeout", what, ms })
    expect(clock.now()).toBe(ms)
  })

  it("gives errors of the agent to a prompt as a value, and to others as errors", async () => {
    const { session, until } = startSimSession((message, side) =>
      side.say({ id: message["id"], error: { code: -32_000, message: "no key", data: { hint: 1 } } })
    )

    expect(await until(session.prompt("s1", "x"))).toMatchObject({
      ok: false,
      error: { code: -32_000, said: "no key" }
    })
    expect(await until(session.setModel("s1", "x"))).toMatchObject({ ok: false })
    expect(await until(caught(session.createSession("/w")))).toMatchObject({
      _tag: "AgentError",
      code: -32_000,
      data: { hint: 1 }
    })
  })

  it("is given up by its caller, and takes the answer for a late one", async () => {
    const { session, until } = startSimSession(echo)
    const controller = new AbortController()
    const prompt = caught(session.prompt("s1", "x", { signal: controller.signal }))
    controller.abort()

    expect(await until(prompt)).toMatchObject({ _tag: "Cancelled" })
    await until(session.createSession("/w"))
    session.assertClean()
  })

  it("has all chunks when the prompt resolves, with the answer in one write and handlers about (28)", async () => {
    const agent: SimAnswer = (message, side) => {
      const chunks = Array.from({ length: 50 }, (_, index) => chunk(`${index},`))
      side.say(...chunks, { id: message["id"], result: { stopReason: "end_turn" } })
    }
    const expected = Array.from({ length: 50 }, (_, index) => `${index},`).join("")
    for (const handlers of [0, 10]) {
      const { session, until } = startSimSession(agent)
      for (let n = 0; n < handlers; n++) session.onRequest(`x/${n}`, () => ({ kind: "result", result: null }))
      for (let turn = 0; turn < 1_000; turn++) {
        const mark = session.mark()
        const seen = session
          .prompt("s1", "x")
          .then(() => session.updatesSince(mark).map(({ messageText }) => messageText))
        expect((await until(seen)).join("")).toBe(expected)
      }
    }
  })
})

const complaining = (side: LineSide) => {
  side.complain("no key, no answer")
  return {}
}
