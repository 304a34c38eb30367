import { describe, expect, it } from "vitest"
import { InferenceRequestMatcher } from "../../src/index.ts"
import { readyOracles } from "../../src/oracles/ready-oracles.ts"
import { watchRun } from "../../src/oracles/watch-run.ts"
import { stream } from "../support/scripts.ts"
import { startWorld } from "../support/virtual-world.ts"
import { ended } from "./events.ts"

const turn = InferenceRequestMatcher.foreground("ChatCompletions")

/** A server with its oracles, a barred expectation, its primary, a replay, and a request that comes too late. */
const raceForOne = () => {
  const world = startWorld()
  const run = watchRun(readyOracles())
  world.server.watchTrace(run.see)
  const handle = world.server.expectResponseBlocked("first turn", turn, stream("one", "[DONE]"))
  for (const id of ["1", "1", "2"]) world.foreground("ChatCompletions", id, "x")
  const violations = () => {
    run.see(ended(world.clock.now()))
    return run.violations()
  }
  return { handle, world, violations }
}

describe("The ready oracles, watching the server", () => {
  it("find nothing when all is released and read", () => {
    const { handle, world, violations } = raceForOne()
    handle.release()
    world.clock.settle()

    expect(violations()).toEqual([])
  })

  it("say which requests wait for which release when the run ends without it", () => {
    expect(raceForOne().violations()).toMatchObject([
      {
        oracle: "liveness",
        shape: "a copy is held at a barrier",
        message:
          'these wait for ever: request 1 waits for the release of "first turn"; request 2 waits for the release of "first turn"'
      }
    ])
  })

  it("forget a request whose client left", () => {
    const { world, violations } = raceForOne()
    const late = world.foreground("ChatCompletions", "1", "x")
    late.leave()

    expect(violations()[0]?.message).not.toContain("request 4")
  })
})
