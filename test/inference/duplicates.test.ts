import { describe, expect, it } from "vitest"
import { InferenceRequestMatcher, ScriptedResponse } from "../../src/index.ts"
import { stateOf } from "../support/promise-state.ts"
import { userBody } from "../support/requests.ts"
import { stream } from "../support/scripts.ts"
import { responsesText } from "../support/texts.ts"
import { startWorld, type World } from "../support/virtual-world.ts"

const { foreground } = InferenceRequestMatcher
const responsesTurn = foreground("Responses")

const toolResult = { type: "function_call_output", call_id: "call_1", output: "done" }

const followUp = (world: World) =>
  world.foreground("Responses", "turn-id", "run tool", {
    body: { input: [...[userBody("Responses", "run tool")["input"]].flat(), toolResult] }
  })

describe("an overlapping duplicate", () => {
  it("waits at the barrier of the first and gets the same bytes (scenario 25)", () => {
    const world = startWorld()
    const handle = world.server.expectResponseBlocked("call", responsesTurn, stream("one", "two"))
    const primary = world.foreground("Responses", "same-call", "x")
    const replay = world.foreground("Responses", "same-call", "x")
    world.clock.advance(50)
    expect([primary.isComplete, replay.isComplete, handle.isSatisfied()]).toEqual([false, false, false])

    handle.release()
    world.clock.settle()

    expect([primary.status, replay.status]).toEqual([200, 200])
    expect(replay.text()).toBe(primary.text())
    expect(replay.response.headers).toEqual(primary.response.headers)
    expect(handle.isSatisfied()).toBe(true)
  })

  it("takes no further expectation; the next one comes after the call (scenario 26)", async () => {
    const world = startWorld()
    const first = world.server.expectResponseBlocked("first", responsesTurn, stream("one", "two"))
    const second = world.server.expectResponse(
      "second",
      responsesTurn,
      ScriptedResponse.text(215, "second expectation")
    )
    const primary = world.foreground("Responses", "turn-id", "x")
    const replay = world.foreground("Responses", "turn-id", "x")
    await first.waitClaims(2)
    expect(second.phase).toBe("Pending")

    first.release()
    world.clock.settle()
    expect([primary.status, primary.isComplete, replay.status, replay.isComplete]).toEqual([200, true, 200, true])
    expect(first.isSatisfied()).toBe(true)

    expect(world.foreground("Responses", "turn-id", "x").text()).toBe("second expectation")
    expect(second.isSatisfied()).toBe(true)
  })

  it.each([false, true])(
    "is not the tool follow-up, whose body is longer; first one blocked: %s (scenario 27)",
    (isBlocked) => {
      const world = startWorld()
      const first = world.server.expectResponseBlocked(
        "tool",
        responsesTurn,
        ScriptedResponse.text(214, "tool-call-script")
      )
      const second = world.server.expectResponse(
        "follow-up",
        responsesTurn,
        ScriptedResponse.text(215, "follow-up-script")
      )
      if (!isBlocked) first.release()
      const call = world.foreground("Responses", "turn-id", "run tool")
      expect(call.isComplete).toBe(!isBlocked)

      const follow = followUp(world)
      expect([follow.status, follow.text()]).toEqual([215, "follow-up-script"])

      first.release()
      world.clock.settle()
      expect([call.status, call.text()]).toEqual([214, "tool-call-script"])
      expect([first.isSatisfied(), second.isSatisfied()]).toEqual([true, true])
    }
  )

  it("after the primary has left is a new call, to the next expectation or the echo (scenario 28)", () => {
    const world = startWorld()
    const first = world.server.expectResponseBlocked("first", responsesTurn, stream("one", "two"))
    const primary = world.foreground("Responses", "turn-id", "hi")
    primary.leave()
    expect([first.phase, first.isSatisfied()]).toEqual(["Abandoned", false])

    const next = world.server.expectResponse("next", responsesTurn, ScriptedResponse.text(216, "next expectation"))
    expect(world.foreground("Responses", "turn-id", "hi").text()).toBe("next expectation")
    expect(next.claims).toBe(1)
    expect(responsesText(world.foreground("Responses", "turn-id", "hi").text())).toBe("Echo: hi ")
  })

  it("that leaves at the barrier changes nothing for the primary (scenario 29)", () => {
    const world = startWorld()
    const handle = world.server.expectResponseBlocked("call", responsesTurn, stream("one", "two"))
    const primary = world.foreground("Responses", "id", "x")
    world.foreground("Responses", "id", "x").leave()
    expect([handle.phase, handle.claims]).toEqual(["Blocked", 2])

    handle.release()
    world.clock.settle()

    expect(primary.isComplete).toBe(true)
    expect(handle.isSatisfied()).toBe(true)
  })

  it("gets everything when the primary leaves, and satisfies nothing (scenario 30)", async () => {
    const world = startWorld()
    const handle = world.server.expectResponseBlocked("call", responsesTurn, stream("one", "two"))
    const next = world.server.expectResponse("next", responsesTurn, ScriptedResponse.text(216, "next"))
    const primary = world.foreground("Responses", "id", "x")
    const replay = world.foreground("Responses", "id", "x")
    primary.leave()
    expect(handle.phase).toBe("Blocked")

    handle.release()
    world.clock.settle()

    expect(replay.text()).toBe("data: one\n\ndata: two\n\n")
    expect(replay.isComplete).toBe(true)
    expect(handle.phase).toBe("Abandoned")
    await expect(handle.waitSatisfied()).rejects.toThrow("(state: Abandoned)")
    expect(world.foreground("Responses", "id", "x").text()).toBe("next")
    expect(next.isSatisfied()).toBe(true)
  })

  it("joins while any copy is under way, and the call settles with the last (scenario 31)", async () => {
    const world = startWorld()
    const handle = world.server.expectResponse("call", responsesTurn, stream("one", "two"))
    world.server.setChunkDelay(20)
    const primary = world.foreground("Responses", "id", "x")
    world.server.setChunkDelay(100)
    const first = world.foreground("Responses", "id", "x")
    world.clock.advance(40)
    expect([primary.isComplete, first.isComplete, handle.phase]).toEqual([true, false, "Received"])

    const second = world.foreground("Responses", "id", "x")
    world.clock.advance(160)
    expect([first.isComplete, second.isComplete, handle.phase]).toEqual([true, false, "Received"])
    expect(await stateOf(handle.waitSatisfied())).toBe("pending")

    world.clock.advance(40)
    expect([second.isComplete, handle.phase, handle.claims]).toEqual([true, "Satisfied", 3])
  })

  it("does not wait at a barrier that was released (scenario 32)", () => {
    const world = startWorld()
    const big = "x".repeat(100)
    const handle = world.server.expectResponseBlocked("call", responsesTurn, stream(big, big))
    const primary = world.foreground("Responses", "id", "x")
    handle.release()
    // The release is not carried out yet: the primary still stands there.
    expect(primary.isComplete).toBe(false)

    const replay = world.foreground("Responses", "id", "x")

    expect(replay.isComplete).toBe(true)
    expect(handle.claims).toBe(2)
  })

  it("with a delay of its own does not wait either, and gets the whole answer (scenario 32)", () => {
    const world = startWorld()
    const handle = world.server.expectResponseBlocked("call", responsesTurn, stream("one", "two", "three"))
    world.server.setChunkDelay(100)
    const primary = world.foreground("Responses", "id", "x")
    world.clock.advance(150)
    handle.release()
    world.server.setChunkDelay(null)

    const replay = world.foreground("Responses", "id", "x")

    expect(primary.isComplete).toBe(false)
    expect(replay.events().map(({ data }) => data)).toEqual(["one", "two", "three"])
    expect(replay.isComplete).toBe(true)
  })
})

describe("a replay under pacing", () => {
  it("starts from the beginning with the delay of its own arrival (scenario 35)", () => {
    const world = startWorld()
    const handle = world.server.expectResponse("call", responsesTurn, stream("1", "2", "3", "4", "5"))
    world.server.setChunkDelay(100)
    const primary = world.foreground("Responses", "id", "x")
    world.clock.advance(300)
    expect(primary.events()).toHaveLength(3)

    world.server.setChunkDelay(10)
    const replay = world.foreground("Responses", "id", "x")
    world.clock.advance(50)

    expect(replay.response.pieces.map(({ at }) => at)).toEqual([310, 320, 330, 340, 350])
    expect(replay.isComplete).toBe(true)
    expect(primary.events()).toHaveLength(3)
    world.clock.advance(150)
    expect(replay.text()).toBe(primary.text())
    expect(handle.isSatisfied()).toBe(true)
  })
})

describe("a client that leaves late", () => {
  it("after its last event was permitted takes no satisfaction back (scenario 36)", () => {
    const world = startWorld()
    const handle = world.server.expectResponse("call", responsesTurn, stream("one", "two"))
    const call = world.send(
      {
        method: "POST",
        target: "/v1/responses",
        headers: [
          ["content-type", "application/json"],
          ["x-grok-turn-idx", "1"]
        ],
        body: "{}"
      },
      { windowBytes: 1 }
    )
    expect(call.isComplete).toBe(false)

    call.leave()

    expect(handle.isSatisfied()).toBe(true)
    expect(world.server.requests()[0]?.answer).toMatchObject({ settled: "crossed", outcome: "client_closed" })
  })
})
