import { describe, expect, test } from "vitest"
import { modelJson } from "../../src/domain/model-entry.ts"
import { formatPath } from "../../src/inference/scenario-problem.ts"
import { readScenario, type ScenarioOverrides, type ScenarioScript } from "../../src/inference/scenario-script.ts"

const read = (value: unknown, overrides?: ScenarioOverrides): ScenarioScript => {
  const reading = readScenario(value, overrides)
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems))
  return reading.script
}

const problems = (value: unknown): ReadonlyArray<string> => {
  const reading = readScenario(value)
  return reading.ok ? [] : reading.problems.map(({ path, message }) => `${formatPath(path)}: ${message}`)
}

const expectation = { name: "a", endpoint: "Messages", kind: "auxiliary", response: "hi" }

describe("a scenario", () => {
  test("that says nothing sets what a server starts with", () => {
    const { models, ...rest } = read({})

    expect(models.map(modelJson)).toEqual([
      { id: "test-model", object: "model", created: 1234567890, owned_by: "test" }
    ])
    expect(rest).toEqual({
      profile: "full",
      token: null,
      settings: null,
      userTier: null,
      mode: { kind: "echo" },
      chunkDelayMs: null,
      messagesStopReason: "end_turn",
      turns: [],
      expectations: [],
      queued: []
    })
  })

  test("gives way to what the command line says", () => {
    const file = { profile: "full", apiKey: "from-file" }

    expect(read(file, { profile: "compact", token: "from-line" })).toMatchObject({
      profile: "compact",
      token: "from-line"
    })
    expect(read(file, { profile: undefined, token: undefined })).toMatchObject({ profile: "full", token: "from-file" })
  })

  test("tells settings of null from no settings", () => {
    expect(read({ settings: null }).settings).toEqual({ value: null })
  })

  test("describes models by id or in full", () => {
    const { models } = read({ models: ["a", { id: "b", agentType: "grok", reasoningEffort: "high" }] })

    expect(models.map(modelJson)).toMatchObject([
      { id: "a" },
      { id: "b", _meta: { agentType: "grok" }, reasoningEffort: "high" }
    ])
  })

  test("keeps the order of each queue", () => {
    const { queued } = read({
      queues: { "/v1/settings": [{ json: 1 }], "/v1/messages": [{ status: 201 }, { status: 202 }] }
    })

    expect(queued.map(({ path, response }) => [path, response.status])).toEqual([
      ["/v1/messages", 201],
      ["/v1/messages", 202],
      ["/v1/settings", 200]
    ])
  })
})

describe("the meaning of a scenario", () => {
  test("allows each name once", () => {
    expect(problems({ expectations: [expectation, { ...expectation, name: "b" }, expectation] })).toEqual([
      'expectations[2].name: "a" is already the name of expectations[0]'
    ])
  })

  test("allows a barrier only where the answer has such a place, and each name once", () => {
    const barriers = [{ at: { afterEvent: 99 } }, "terminal", { at: "head", name: "terminal" }, "semanticEnd"]

    expect(problems({ expectations: [{ ...expectation, barriers }] })).toEqual([
      expect.stringMatching(
        /^expectations\[0\]\.barriers\[0\]: no position afterEvent\(99\) in a stream of \d+ events/
      ),
      expect.stringContaining("expectations[0].barriers[2]: two barriers are called `terminal`")
    ])
    expect(problems({ expectations: [{ ...expectation, response: { json: 1 }, barriers: ["semanticEnd"] }] })).toEqual([
      "expectations[0].barriers[0]: a json body has no position semanticEnd; it can wait at `head` or `terminal`"
    ])
  })

  test("allows no more barriers on one answer than can be compared", () => {
    const barriers = Array.from({ length: 1_001 }, (_, index) => ({ at: "head", name: `b${index}` }))

    expect(problems({ expectations: [{ ...expectation, barriers }] })).toEqual([
      "expectations[0].barriers: are 1001 barriers; an answer has at most 1000"
    ])
  })

  test("is checked for all well-formed entries although others are not", () => {
    const found = problems({
      mode: "ecko",
      expectations: [{}, expectation, expectation],
      queues: { "/v1/messages": [5, "hi"] }
    })

    expect(found.map((line) => line.replace(/: .*/, ""))).toEqual([
      "mode",
      "expectations[0]",
      "expectations[0]",
      "expectations[0]",
      "expectations[0]",
      'queues["/v1/messages"][0]',
      "expectations[2].name"
    ])
  })
})
