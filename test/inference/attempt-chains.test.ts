import { describe, expect, it } from "vitest"
import { InferenceRequestMatcher, ScriptedResponse, SseEvent, VerificationFailed } from "../../src/index.ts"
import { startVirtualServer } from "../../src/sim.ts"

const auxiliary = InferenceRequestMatcher.auxiliary("ChatCompletions")
const cut = (): ScriptedResponse => ({
  ...ScriptedResponse.sse(["1", "2", "3"].map(SseEvent.data)),
  ending: "rst"
})

const start = (options: Parameters<typeof startVirtualServer>[0] = {}) => {
  const world = startVirtualServer(options)
  const ask = (text: string, headers: ReadonlyArray<readonly [string, string]> = []) => {
    const answer = world.http.connect().request({
      method: "POST",
      target: "/v1/chat/completions",
      headers: [["content-type", "application/json"], ...headers],
      body: JSON.stringify({ messages: [{ role: "user", content: text }] })
    })
    world.clock.settle()
    return { answer }
  }
  return { ...world, ask }
}

const leftoversOf = (server: ReturnType<typeof start>["server"]): ReadonlyArray<string> => {
  try {
    server.verify()
    return []
  } catch (error) {
    if (error instanceof VerificationFailed) return error.leftovers
    throw error
  }
}

describe("a call that is made again with the same words, after its answer", () => {
  const busy = () => ScriptedResponse.json(503, {})
  const say = (text: string) => ScriptedResponse.text(210, text)

  it("is another call: what the first one left over is not for its retries", () => {
    const { server, ask } = start({ strict: true })
    server.expectAttempts("first", auxiliary, [busy(), say("ok 1"), say("never")])
    server.expectAttempts("second", auxiliary, [busy(), say("ok 2")])

    expect([ask("hi"), ask("hi"), ask("hi"), ask("hi")].map(({ answer }) => answer.text())).toEqual([
      "{}",
      "ok 1",
      "{}",
      "ok 2"
    ])
    expect(server.requests().map(({ attempt, answer }) => [attempt, answer.expectation])).toEqual([
      [1, "first#1"],
      [2, "first#2"],
      [1, "second#1"],
      [2, "second#2"]
    ])
    expect(leftoversOf(server)).toEqual(["expectation `first#3` (state: Pending)"])
  })

  it("is told that the answers of the first are for another call, and which", () => {
    const { server, ask } = start({ strict: true })
    server.expectAttempts("first", auxiliary, [say("ok"), say("never")])
    ask("hi")
    ask("hi")

    expect(ask("hi").answer.text()).toContain(
      "the nearest expectation is `first#2`: it is for retries of another call, which began with #1"
    )
  })

  // Seen to fail while it was said that another call had taken them, and while the chain that was written first was named.
  it("is told why it is another call, what to write instead, and of the chain of the same words first", () => {
    const { server, ask } = start({ strict: true })
    server.expectAttempts("tool", auxiliary, [say("tool"), say("never")])
    server.expectAttempts("answer", auxiliary, [say("ok"), say("never")])
    ask("a tool?")
    ask("an answer?")

    expect(ask("an answer?").answer.text()).toContain(
      "the nearest expectation (of 2 pending) is `answer#2`: it is for retries of #2, but the answer to #2 was written to its end, " +
        "so this is a new call, even if that got lost: script it with `times: n` and `sessions: { retries: "
    )
  })

  it("has attempts of its own where retries may take anything", () => {
    const { server, ask } = start({ strict: true, sessions: { retries: "any" } })
    server.expectResponse("before", auxiliary, busy())
    server.expectAttempts("chain", auxiliary, [busy(), say("ok"), say("never")])
    server.expectResponse("again", auxiliary, busy())

    const texts = [ask("hi"), ask("hi"), ask("hi"), ask("hi"), ask("hi")].map(({ answer }) => answer.text())
    expect(texts.slice(0, 4)).toEqual(["{}", "{}", "ok", "{}"])
    expect(texts[4]).toContain("which began with #1")
    expect(leftoversOf(server)[0]).toBe("expectation `chain#3` (state: Pending)")
  })
})

describe("the answers of a chain", () => {
  it("are for the try of their number, whichever is decided first", async () => {
    const { server, ask, clock } = start({ strict: true })
    server.expectAttempts("turn", auxiliary, [
      ScriptedResponse.json(503, {}),
      ScriptedResponse.text(210, "second"),
      ScriptedResponse.text(210, "third")
    ])
    ask("hi")
    const next = server.next()
    const second = ask("hi")
    const call = await next
    const third = ask("hi")
    call.proceed()
    clock.settle()

    expect([second.answer.text(), third.answer.text()]).toEqual(["second", "third"])
    server.verify()
  })

  it("that were due to a try which got something else are left over, and say so", async () => {
    const { server, ask, clock } = start({ strict: true })
    server.expectAttempts("turn", auxiliary, [ScriptedResponse.json(503, {}), ScriptedResponse.text(210, "second")])
    ask("hi")
    const next = server.next({ attempt: 2 })
    ask("hi")
    ;(await next).fail(500)
    clock.settle()

    expect(ask("hi").answer.text()).toContain(
      "`turn#2`: it is answer 2 to the tries of this call, but this is attempt 3 (a retry of #2, which was answered with"
    )
    expect(leftoversOf(server)[0]).toBe("expectation `turn#2` (state: Pending)")
  })

  it("are not used up by copies that join an answer in progress", () => {
    const { server, ask, clock } = start({ strict: true })
    const slow = { ...cut(), pacing: { delayMs: 100 } }
    server.expectAttempts("turn", auxiliary, [slow, ScriptedResponse.text(210, "again")])
    const id = [["x-grok-req-id", "one"]] as const

    const copies = [ask("hi", id), ask("hi", id)]
    clock.advance(1_000)

    expect(copies.map(({ answer }) => answer.ended)).toEqual(["rst", "rst"])
    expect(ask("hi", id).answer.text()).toBe("again")
    expect(server.requests().map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    server.verify()
  })
})
