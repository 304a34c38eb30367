import { describe, expect, it } from "vitest"
import { ExpectationFailed, InferenceRequestMatcher, InvalidOption, ScriptedResponse } from "../../src/index.ts"
import type { ExpectationHandle } from "../../src/inference/expectation-handle.ts"
import { makeGroupHandle } from "../../src/inference/make-group-handle.ts"
import { startVirtualServer } from "../../src/sim.ts"
import { stateOf } from "../support/promise-state.ts"

const auxiliary = InferenceRequestMatcher.auxiliary("ChatCompletions")
const stream = ScriptedResponse.sse(["one", "two"].map((data) => ({ event: null, data })))

const start = () => {
  const world = startVirtualServer()
  const ask = (headers: ReadonlyArray<readonly [string, string]> = []): void => {
    world.http.connect().request({
      method: "POST",
      target: "/v1/chat/completions",
      headers: [["content-type", "application/json"], ...headers],
      body: "{}"
    })
    world.clock.settle()
  }
  return { ...world, ask }
}

/** The same handle, and how often a wait for claims was begun on it. */
const counted = (member: ExpectationHandle, count: () => void): ExpectationHandle =>
  new Proxy(member, {
    get(target, key, receiver) {
      if (key === "waitClaims") count()
      return Reflect.get(target, key, receiver)
    }
  })

describe("a group of expectations that waits for claims", () => {
  it("begins one wait for each member and one for each claim, however many tests wait", async () => {
    const { server, ask } = start()
    let begun = 0
    const members = Array.from({ length: 40 }, (_, index) => {
      const member = server.expectResponse(`x#${index}`, auxiliary, ScriptedResponse.text(200, "x"))
      return counted(member, () => begun++)
    })
    const group = makeGroupHandle("x", members)
    const waits = [40, 40, 20].map((count) => group.waitClaims(count))

    for (let request = 0; request < 40; request++) {
      ask()
      await new Promise(setImmediate)
    }
    await Promise.all(waits)

    expect([group.claims, begun]).toEqual([40, 80])
  })

  it("counts what came before, and a replay as one more", async () => {
    const { server, ask } = start()
    const group = server.expectResponse("x", auxiliary, stream, { times: 2, barriers: [{ at: "terminal" }] })
    ask([["x-grok-req-id", "a"]])
    const wait = group.waitClaims(3)
    ask()
    expect([await stateOf(group.waitClaims(2)), await stateOf(wait)]).toEqual(["resolved", "pending"])

    ask([["x-grok-req-id", "a"]])

    await wait
    await group.waitClaims(0)
  })

  it("fails when nothing can be claimed any more, and when the server closes", async () => {
    const { server, ask, clock } = start()
    const group = server.expectResponse("x", auxiliary, ScriptedResponse.text(200, "x"), { times: 2 })
    const open = server.expectResponse("y", InferenceRequestMatcher.foreground("Messages"), stream, { times: 2 })
    const waits = [group.waitClaims(3), open.waitClaims(1)]
    ask()
    ask()

    await expect(waits[0]).rejects.toThrow("settled with 2 of 3 claims")
    await expect(group.waitClaims(0.5)).rejects.toThrow(InvalidOption)
    const closing = server.close()
    clock.settle()
    await closing
    await expect(waits[1]).rejects.toThrow(ExpectationFailed)
  })
})

describe("a named barrier of a group", () => {
  const startEither = () => {
    const { server, ask } = start()
    const group = server.expectAny("either", [
      { matcher: InferenceRequestMatcher.foreground("ChatCompletions"), response: stream },
      { matcher: auxiliary, response: stream, barriers: [{ at: { afterEvent: 1 }, name: "middle" }] }
    ])
    ask()
    return group
  }

  it("is released in the members that have it", () => {
    const group = startEither()
    expect(group.members.map(({ phase }) => phase)).toEqual(["Retired", "Blocked"])

    group.release("middle")

    expect(() => group.release("end")).toThrow("either")
    expect(group.members[1]?.phase).toBe("Blocked")
  })

  it("is waited for in the members that have it, before and after a request has come to it", async () => {
    const { server, ask, clock } = start()
    const group = server.expectAny("either", [
      { matcher: auxiliary, response: stream, barriers: [{ at: { afterEvent: 1 }, name: "middle" }] },
      { matcher: auxiliary, response: stream }
    ])
    const early = group.waitBlocked("middle")
    expect(await stateOf(early)).toBe("pending")

    ask()

    await early
    await group.waitBlocked("middle")
    group.release("middle")
    clock.settle()
    await group.waitBlocked("middle")
    expect(group.isSatisfied()).toBe(true)
  })

  it("is waited for in all members that have it", async () => {
    const { server, ask } = start()
    const plain = server.expectResponse("plain", InferenceRequestMatcher.foreground("ChatCompletions"), stream)
    const barriers = [{ at: "terminal" as const, name: "end" }]
    const twice = server.expectResponse("twice", auxiliary, stream, { times: 2, barriers })
    const group = makeGroupHandle("all", [plain, twice])
    const wait = group.waitBlocked("end")
    ask()
    expect(await stateOf(wait)).toBe("pending")

    ask()

    await wait
  })

  it("can no longer be reached when all that have it were retired", async () => {
    const { server, ask } = start()
    const group = server.expectAny("either", [
      { matcher: InferenceRequestMatcher.foreground("ChatCompletions"), response: stream, barriers: [{ at: "head" }] },
      { matcher: auxiliary, response: stream }
    ])
    const wait = group.waitBlocked("head")
    ask()

    await expect(wait).rejects.toThrow(ExpectationFailed)
    await expect(group.waitBlocked("head")).rejects.toThrow("all that have barrier `head` were retired")
    await group.waitBlocked()
  })

  it("that no member has is refused, with what there is", async () => {
    const group = startEither()

    expect(() => group.release("end")).toThrow(InvalidOption)
    expect(() => group.release("end")).toThrow(
      "`either` has no barrier `end` in any member: expectation `either#1` has no barrier `end`; it has none; " +
        "expectation `either#2` has no barrier `end`; it has `middle`"
    )
    await expect(group.waitBlocked("end")).rejects.toThrow(InvalidOption)
    await expect(group.waitBlocked("end")).rejects.toThrow("`either` has no barrier `end` in any member: expectation")
  })
})
