import { expect, it } from "vitest"
import { InferenceRequestMatcher } from "../../src/index.ts"
import { stream } from "../support/scripts.ts"
import { startWorld } from "../support/virtual-world.ts"

it("a request goes to the test that asked first, also where a later one asked more exactly", async () => {
  const world = startWorld()
  const first = world.server.next()
  const exact = world.server.next({ endpoint: "ChatCompletions", kind: "auxiliary", turn: 1 })

  world.auxiliary("one")
  world.auxiliary("two")

  expect([(await first).number, (await exact).number]).toEqual([1, 2])
  for (const call of [await first, await exact]) call.replyText("x")
})

it("a copy of a live call gets its answer, and is in nobody's hand", async () => {
  const world = startWorld()
  const turn = InferenceRequestMatcher.foreground("ChatCompletions")
  const handle = world.server.expectResponseBlocked("turn", turn, stream("a", "b"))
  world.foreground("ChatCompletions", "id", "x")
  const next = world.server.next()

  const copy = world.foreground("ChatCompletions", "id", "x")
  world.foreground("ChatCompletions", "other", "x")
  handle.release()
  world.clock.settle()

  expect(copy.text()).toBe("data: a\n\ndata: b\n\n")
  expect(world.server.requests().map(({ answer }) => answer.source)).toEqual(["expectation", "replay", "held"])
  expect((await next).number).toBe(3)
  ;(await next).replyText("x")
})
