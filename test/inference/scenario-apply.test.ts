import { describe, expect, test } from "vitest"
import { applyScenario } from "../../src/inference/scenario-apply.ts"
import { readScenario, type ScenarioScript } from "../../src/inference/scenario-script.ts"
import { startWorld, type World } from "../support/virtual-world.ts"

const script = (value: unknown): ScenarioScript => {
  const reading = readScenario(value)
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems))
  return reading.script
}

const expectation = (name: string, status: number, more: object = {}) => ({
  name,
  endpoint: "ChatCompletions",
  kind: "foreground",
  response: { status },
  ...more
})

const foreground = (world: World, id = "turn") => world.foreground("ChatCompletions", id, "run the task")

describe("a scenario on a server", () => {
  test("sets everything that it names", () => {
    const world = startWorld()

    applyScenario(
      world.server,
      script({
        apiKey: "k",
        models: ["only"],
        settings: { tips: [] },
        userTier: "SuperGrok",
        mode: { text: "fixed" },
        messagesStopReason: "max_tokens",
        queues: { "/v1/chat/completions": [{ status: 299 }] }
      })
    )
    const key = { headers: { authorization: "Bearer k" } }

    expect(world.auxiliary("a").status).toBe(299)
    expect(world.auxiliary("a").status).toBe(401)
    expect(world.auxiliary("a", key).json()).toMatchObject({ choices: [{ message: { content: "fixed" } }] })
    expect(world.post("/v1/messages", {}, [["authorization", "Bearer k"]]).json()).toMatchObject({
      stop_reason: "max_tokens"
    })
    expect(world.get("/v1/models").json()).toMatchObject({ data: [{ id: "only" }] })
    expect(world.get("/v1/settings").json()).toEqual({ tips: [] })
    expect(world.get("/v1/user").json()).toMatchObject({ subscriptionTier: "SuperGrok" })
  })

  test("is replaced whole by the next one: what nobody claimed is gone, and what is not named is as at the start", () => {
    const world = startWorld()
    const before = applyScenario(
      world.server,
      script({
        apiKey: "k",
        models: ["only"],
        userTier: "SuperGrok",
        mode: { text: "fixed" },
        chunkDelayMs: 5,
        turns: ["turn"],
        expectations: [expectation("old", 250)],
        queues: { "/v1/chat/completions": [{ status: 299 }] }
      })
    )

    const after = applyScenario(world.server, script({ expectations: [expectation("new", 251)] }), before)

    expect(before.handles.get("old")?.phase).toBe("Retired")
    expect([...after.handles.keys()]).toEqual(["new"])
    expect(foreground(world, "1").status).toBe(251)
    expect(foreground(world, "2").json()).toMatchObject({ choices: [{ message: { content: "Echo: run the task" } }] })
    expect(world.get("/v1/models").json()).toMatchObject({ data: [{ id: "test-model" }] })
    expect(world.get("/v1/user").json()).not.toHaveProperty("subscriptionTier")
  })

  test("registers the same names again after they were satisfied or taken back", () => {
    const world = startWorld()
    const twice = script({ expectations: [expectation("a", 250), expectation("b", 251)] })
    const before = applyScenario(world.server, twice)
    foreground(world, "1")

    const after = applyScenario(world.server, twice, before)

    expect(after.skipped).toEqual([])
    expect([...after.handles.values()].map(({ phase }) => phase)).toEqual(["Pending", "Pending"])
    expect(foreground(world, "2").status).toBe(250)
  })

  test("lets running calls run on, leaves out their names, and still gives them to be released", () => {
    const world = startWorld()
    const before = applyScenario(
      world.server,
      script({ expectations: [expectation("a", 250, { barriers: ["head"] })] })
    )
    const call = foreground(world)

    const after = applyScenario(
      world.server,
      script({ expectations: [expectation("a", 251), expectation("b", 252)] }),
      before
    )
    after.handles.get("a")?.release()
    world.clock.settle()

    expect(after.skipped).toEqual(["a"])
    expect(call.status).toBe(250)
    expect(foreground(world, "2").status).toBe(252)
  })

  test("keeps settings that the next one does not name, and says so", () => {
    const world = startWorld()

    const first = applyScenario(world.server, script({}))
    const second = applyScenario(world.server, script({ settings: 1 }), first)
    const third = applyScenario(world.server, script({}), second)
    const fourth = applyScenario(world.server, script({}), third)

    expect([first, second, third, fourth].map(({ settings }) => settings)).toEqual(["none", "set", "kept", "kept"])
    expect(world.get("/v1/settings").json()).toBe(1)
  })
})
