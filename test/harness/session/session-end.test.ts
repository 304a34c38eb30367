import { describe, expect, it } from "vitest"
import { caught, echo } from "./echo-agent.ts"
import { chunk, type SimAnswer, startSimSession } from "./sim-session.ts"

/** Numbers are those of the scenarios of agent-harness.md, section 9. */

describe("the end", () => {
  it("of an agent fails what waits at once, with its exit and its last words (38)", async () => {
    const agent: SimAnswer = (_, side) => {
      side.complain("it hurts")
      side.say(chunk("last"))
      side.exit({ code: 3, signal: null })
    }
    const { session, until, clock } = startSimSession(agent)
    const error = await until(caught(session.prompt("s1", "x")))

    expect(error).toMatchObject({ _tag: "AgentClosed", status: { code: 3, signal: null } })
    expect(String(error)).toMatch(/sim agent has ended with exit code 3; the end of its stderr:\nit hurts/)
    expect([clock.now(), session.capturedText()]).toEqual([0, "last"])
    expect(await until(caught(session.prompt("s1", "x")))).toBe(error)
    expect(await until(session.close())).toMatchObject({ exitCode: 3, reason: "NaturalExit" })
  })

  it("of an agent shows the last 1,200 characters of its stderr", async () => {
    const agent: SimAnswer = (_, side) => {
      side.complain(`lost${"é".repeat(1_195)}done`)
      side.exit({ code: 3, signal: null })
    }
    const { session, until } = startSimSession(agent)
    const [, words] = String(await until(caught(session.prompt("s1", "x")))).split("the end of its stderr:\n")

    expect(words?.split("\n")[0]).toBe(`t${"é".repeat(1_195)}done`)
  })

  it("of an agent that reads no more is told as such only when it lives on", async () => {
    const deaf = startSimSession(echo, {
      program: (side) => {
        side.closeInput()
        return {}
      }
    })

    expect(await deaf.until(caught(deaf.session.createSession("/w")))).toMatchObject({ _tag: "AgentInputClosed" })
    expect(deaf.clock.now()).toBe(250)
  })

  it("of its output ends an agent that lives on", async () => {
    const { session, until, clock } = startSimSession((_, side) => side.closeOutput())

    expect(await until(caught(session.prompt("s1", "x")))).toMatchObject({ _tag: "AgentClosed", status: null })
    expect(clock.now()).toBe(1_000)
    expect(await until(session.close())).toMatchObject({ reason: "GracefulTerminate" })
  })

  it("is the same for all who ask for it, and the sandbox is given back once", async () => {
    const stubborn = startSimSession(() => {}, { program: () => ({ terminated: () => {}, inputEnded: () => {} }) })
    const waiting = caught(stubborn.session.prompt("s1", "x"))
    const ends = [
      stubborn.session.close({ mode: "eof" }),
      stubborn.session.close(),
      stubborn.session.close({ mode: "kill" })
    ]
    const [first, ...others] = await stubborn.until(Promise.all(ends))

    expect(first).toMatchObject({ signal: "SIGKILL", reason: "HardKill" })
    expect(others).toEqual([first, first])
    expect(await waiting).toMatchObject({ _tag: "AgentClosed" })
    expect(stubborn.releases()).toBe(1)
    expect(stubborn.supervisor.alive()).toBe(0)
  })

  it("by its input takes as long as the profile says, and goes on from there", async () => {
    const { session, until, clock } = startSimSession(() => {}, {
      acp: { exitsOnStdinEof: { exits: true, withinMs: 3_000 } },
      program: () => ({ terminated: () => {}, inputEnded: () => {} })
    })

    expect(await until(session.close({ mode: "eof" }))).toMatchObject({ reason: "HardKillAfterGrace" })
    expect(clock.now()).toBe(3_500)
  })

  it("tells what could not be given back", async () => {
    const { session, until } = startSimSession(() => {}, { release: () => Promise.reject(new Error("still there")) })

    expect(String(await until(caught(session.close())))).toContain("still there")
  })
})
