import { describe, expect, test } from "vitest"
import { runLine } from "../../src/cli/line-commands.ts"
import type { ExpectationHandle } from "../../src/inference/expectation-handle.ts"
import { startWorld } from "../support/virtual-world.ts"

const matcher = { endpoint: "ChatCompletions", kind: "foreground" } as const
const response = { status: 200, headers: [], body: { kind: "empty" }, ending: "end" } as const

const target = (...names: ReadonlyArray<string>) => {
  const { server } = startWorld()
  const barriers = [{ at: "head" }, { at: "terminal", name: "the end" }] as const
  const handles = new Map(
    names.map((name) => [name, server.expectResponse(name, matcher, { ...response, headers: [] }, { barriers })])
  )
  return { server, handles: () => handles, quit: () => {} }
}

describe("a line on standard input", () => {
  test("that is blank is nothing", () => {
    expect(runLine("  ", target())).toBeNull()
  })

  test("releases the longest expectation name that it begins with, and takes the rest for a barrier", () => {
    const known = target("turn", "turn two")

    expect(runLine("release turn two", known)).toEqual({ ok: true, message: 'released "turn two"' })
    expect(runLine("  release   turn two the end ", known)).toEqual({
      ok: true,
      message: 'released "turn two", barrier "the end"'
    })
    expect(runLine("release turn tow", known)).toEqual({
      ok: false,
      message: "expectation `turn` has no barrier `tow`; it has `head`, `the end`"
    })
  })

  test("names what is expected when it asks for what is not", () => {
    expect(runLine("release tunr", target("turn"))).toEqual({
      ok: false,
      message: 'no expectation "tunr"; did you mean "turn"?'
    })
    expect(runLine("release xyz", target("turn"))?.message).toBe('no expectation "xyz"; expected are "turn"')
    expect(runLine("release", target())?.message).toBe('no expectation ""; nothing is expected')
  })

  test("shows names and states", () => {
    expect(runLine("status", target("a"))?.message).toBe("inference expectation `a` (state: Pending)")
    expect(runLine("status", target())?.message).toBe("nothing is expected")
  })

  test("releases one of several expectations of a name by its number, or all, and counts many by their state", () => {
    const { server } = startWorld()
    const many = server.expectResponse("many", matcher, { ...response, headers: [] }, { times: 20 })
    const answer = { ...response, headers: [] }
    const one = server.expectAny("one", [
      { matcher, response: answer },
      { matcher, response: answer, barriers: [{ at: "head" }] }
    ])
    const handles = new Map<string, ExpectationHandle>([
      ["many", many],
      ["one", one]
    ])
    const known = { server, handles: () => handles, quit: () => {} }

    expect(runLine("release one#2 head", known)?.message).toBe('released "one#2", barrier "head"')
    expect(runLine("release one", known)?.message).toBe('released "one"')
    expect(runLine("release one head", known)?.message).toBe('released "one", barrier "head"')
    expect(runLine("release one tail", known)?.message).toBe("expectation `one#1` has no barrier `tail`; it has none")
    expect(runLine("release one#3", known)?.message).toContain('did you mean "one#1"?')
    expect(runLine("release x", known)?.message).toContain('expected are "many", "one"')
    expect(runLine("status", known)?.message).toBe(`many: 20 Pending\n${one.diagnostic()}`)
  })

  test("that is no command names the one that was meant, or all", () => {
    expect(runLine("relaese a", target("a"))?.message).toBe('unknown command "relaese"; did you mean "release"?')
    expect(runLine("toString", target())?.message).toContain('commands are "release NAME [BARRIER]", "hold"')
    expect(runLine("hold it", target())).toEqual({ ok: false, message: '"hold" stands alone; leave out "it"' })
  })

  test("holds foreground streams and lets them go", () => {
    const world = startWorld()
    const holding = { server: world.server, handles: () => new Map(), quit: () => {} }

    runLine("hold", holding)
    const call = world.foreground("ChatCompletions", "turn", "hi")
    expect(call.isComplete).toBe(false)
    runLine("release-gate", holding)
    world.clock.settle()

    expect(call.isComplete).toBe(true)
  })
})
