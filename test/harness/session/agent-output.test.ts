import { describe, expect, it } from "vitest"
import { but, caught, echo } from "./echo-agent.ts"
import { type SimAnswer, startSimSession } from "./sim-session.ts"

/** Numbers are those of the scenarios of agent-harness.md, section 9. */

describe("what an agent should not write", () => {
  it("noise before a response is recorded and not answered (33)", async () => {
    const agent = but("session/new", (message, side) => {
      side.say("npm warn foo", "[1]", "7", "", "  ", "{}")
      side.result(message, { sessionId: "s1" })
    })
    const { session, until, heard } = startSimSession(agent)
    await until(session.createSession("/w"))

    expect(session.pollution().map(({ text }) => text)).toEqual(["npm warn foo", "7"])
    expect(session.violations().map(({ rule }) => rule)).toEqual([
      "one message a line",
      "messages are JSON-RPC 2.0",
      "a message has a method or an id"
    ])
    expect(session.blankLines()).toBe(2)
    expect(heard).toHaveLength(1)
    expect(() => session.assertClean()).toThrow("npm warn foo")
  })

  it("a response with the right id of the wrong type is an orphan (34)", async () => {
    const agent: SimAnswer = (message, side) => side.say({ id: String(message["id"]), result: {} })
    const { session, until } = startSimSession(agent)

    expect(await until(caught(session.createSession("/w")))).toMatchObject({ _tag: "RequestTimeout" })
    expect(session.violations()).toMatchObject([{ rule: "orphan response" }])
  })

  it("an update of an unknown kind is counted, kept and recorded (35)", async () => {
    const agent = but("session/new", (message, side) => {
      side.say({ method: "session/update", params: { sessionId: "s1", update: { sessionUpdate: "turn_completed" } } })
      side.result(message, { sessionId: "s1" })
    })
    const { session, until } = startSimSession(agent)
    await until(session.createSession("/w"))

    expect([session.notificationCount(), session.updateCount("turn_completed"), session.updateCount("plan")]).toEqual([
      1, 1, 0
    ])
    expect(session.updates()).toMatchObject([{ kind: "turn_completed", sessionId: "s1" }])
    expect(session.violations()).toMatchObject([{ rule: "updates follow the schema" }])
    await until(session.createSession("/w"))
  })

  it("both and neither of result and error fail the call", async () => {
    const answers = [{ result: 1, error: { code: 1, message: "" } }, {}]
    const { session, until } = startSimSession((message, side) => side.say({ id: message["id"], ...answers.shift() }))

    expect(await until(caught(session.createSession("/w")))).toMatchObject({ _tag: "ProtocolViolation" })
    expect(await until(caught(session.createSession("/w")))).toMatchObject({ _tag: "ProtocolViolation" })
  })

  it("ends a strict session at the first of it", async () => {
    const agent = but("session/new", (_, side) => side.say("npm warn foo"))
    const { session, until, releases } = startSimSession(agent, { strict: true })
    await until(session.initialize())
    const error = await until(caught(session.createSession("/w")))

    expect(error).toMatchObject({ _tag: "ProtocolViolation", line: "npm warn foo" })
    expect(await until(caught(session.createSession("/w")))).toBe(error)
    await until(session.close())
    expect(releases()).toBe(1)
  })

  it("is told by close when a strict session had nobody else to tell", async () => {
    const { session, until, pass } = startSimSession(() => {}, {
      strict: true,
      program: (side) => {
        side.say("oops")
        return {}
      }
    })
    await pass(100)

    expect(await until(caught(session.close()))).toMatchObject({ _tag: "ProtocolViolation", line: "oops" })
  })

  it("a line that is too long ends the session (41)", async () => {
    const agent: SimAnswer = (message, side) =>
      side.say({
        id: message["id"],
        result: { sessionId: "s", pad: "x".repeat(message["method"] === "long" ? 200 : 20) }
      })
    const { session, until, releases } = startSimSession(agent, { bytesMax: 100 })
    await until(session.createSession("/w"))

    expect(await until(caught(session.request("long", {})))).toMatchObject({ _tag: "FrameTooLarge", limit: 100 })
    await until(session.close())
    expect(releases()).toBe(1)
  })
})

describe("what an agent tells unasked", () => {
  it("custom notifications count the same in all shapes (36)", async () => {
    const name = "x.ai/leader_reconnected"
    const agent = but("session/new", (message, side) => {
      side.say({ method: name, params: { n: 1 } }, { method: `_${name}`, params: { n: 2 } })
      side.say({ method: `_${name}`, params: { method: name, params: { n: 3 } } })
      side.result(message, { sessionId: "s1" })
    })
    const { session, until } = startSimSession(agent)
    await until(session.createSession("/w"))

    expect(session.extNotificationCount(name)).toBe(3)
    expect(session.extNotifications(name).map(({ params }) => params)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  })

  it("names of custom methods get one underscore (37)", async () => {
    const { session, until, heard } = startSimSession(echo)
    await until(session.extMethod("x.ai/session/info", { sessionId: "s1" }))
    await until(session.extMethod("_x.ai/session/info", {}))

    expect(heard.map((line) => JSON.parse(line).method)).toEqual(["_x.ai/session/info", "_x.ai/session/info"])
  })

  it("updates are waited for from the call on, or from a mark", async () => {
    const { session, until } = startSimSession(echo)
    const mark = session.mark()
    await until(session.prompt("s1", "x"))
    const isText = (text: string) => (update: { readonly messageText: string | null }) => update.messageText === text

    expect(await until(session.waitForUpdate(isText("hello"), { deadlineMs: 5, since: mark }))).toMatchObject({
      seq: 3
    })
    expect(await until(caught(session.waitForUpdate(isText("hello"), { deadlineMs: 5 })))).toMatchObject({
      _tag: "WaitTimeout",
      ms: 5
    })
    const broken = caught(
      session.waitForUpdate(
        () => {
          throw new Error("my mistake")
        },
        { deadlineMs: null }
      )
    )
    const fine = session.waitForUpdate(isText("hello"), { deadlineMs: null })
    await until(session.prompt("s1", "x"))
    expect(String(await until(broken))).toContain("my mistake")
    expect(await until(fine)).toMatchObject({ messageText: "hello" })
    const left = caught(session.waitForUpdate(isText("never"), { deadlineMs: null }))
    await until(session.close())
    expect(await until(left)).toMatchObject({ _tag: "AgentClosed" })
  })
})
