import { describe, expect, test } from "vitest"
import { modelJson } from "../../src/domain/model-entry.ts"
import { checkPacing } from "../../src/domain/pacing.ts"
import { formatPath } from "../../src/inference/scenario-problem.ts"
import {
  readScenario,
  type ScenarioOverrides,
  type ScenarioScript,
  startOptions
} from "../../src/inference/scenario-script.ts"

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
      isStrict: false,
      sessions: null,
      faultHeader: null,
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
    expect(read({ strict: false }, { strict: true }).isStrict).toBe(true)
    expect(read({ strict: true }, { strict: false }).isStrict).toBe(true)
    expect(read({ faultHeader: true }, { faultHeader: false }).faultHeader).toBe(false)
    expect(read({ faultHeader: true }, { faultHeader: undefined }).faultHeader).toBe(true)
  })

  test("gives a server what it takes only when it starts", () => {
    expect(startOptions(read({}))).toEqual({})
    expect(startOptions(read({ sessions: { retries: "any" }, faultHeader: false }))).toEqual({
      sessions: { retries: "any" },
      faultHeader: false
    })
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

  test("allows no name that another expectation has by its number", () => {
    const twice = { ...expectation, times: 2 }
    const { response: _, ...asked } = expectation
    const tries = { ...asked, name: "b", attempts: ["hi", "ho"] }

    for (const name of ["a#1", "a#2"]) {
      expect(problems({ expectations: [twice, { ...expectation, name }] })).toEqual([
        `expectations[1].name: "${name}" is one of the numbered names of expectations[0]`
      ])
    }
    expect(problems({ expectations: [{ ...expectation, name: "b#1" }, tries] })).toEqual([
      'expectations[1].name: "b" gives the name "b#1", which is already the name of expectations[0]'
    ])
  })

  test("allows no more expectations in all than a server registers at once", () => {
    const { response, ...asked } = expectation
    const many = { ...asked, times: 60_000, attempts: [response, response] }

    expect(problems({ expectations: [many, { ...expectation, name: "b" }] })).toEqual([
      'expectations[0].times: makes 120000 expectations, each of "times", "attempts" and "anyOf" counted; a scenario has at most 100000'
    ])
  })

  test("allows a cut only after an event that the stream has", () => {
    const cut = (response: object) => ({
      ...expectation,
      response: { ...response, ending: { cut: "rst", afterEvent: 9 } }
    })

    expect(problems({ expectations: [cut({ sse: ["a", "b"] })] })).toEqual([
      "expectations[0].response.ending.afterEvent: the cut after event 9 leaves nothing out; use a whole number from 0 to 1"
    ])
    expect(
      problems({ queues: { "/v1/messages": [{ text: "a", stream: false, ending: { cut: "fin", afterEvent: 1 } }] } })
    ).toEqual([
      'queues["/v1/messages"][0].ending.afterEvent: cannot be 1, for a json body has no events; give "afterBytes", or leave out "stream": false'
    ])
    expect(problems({ expectations: [{ ...cut({ sse: ["a"] }), endpoint: ["Messages", "Responses"] }] })).toHaveLength(
      1
    )
  })

  test("allows no condition on the attempt beside attempts", () => {
    const { response: _, ...asked } = expectation

    expect(problems({ expectations: [{ ...asked, where: { attempt: 2 }, attempts: ["a", "b"] }] })).toEqual([
      expect.stringMatching(/^expectations\[0\]\.where\.attempt: is of no use beside "attempts"/)
    ])
  })

  test("allows a rate only of streams, and one in a pacing", () => {
    const paced = (more: object) => ({ ...expectation, response: { text: "a", ...more } })

    expect(problems({ expectations: [paced({ pacing: { delayMs: 1, tokensPerSecond: 2 } })] })).toEqual([
      "expectations[0].response: pacing has delayMs and tokensPerSecond; give one of them"
    ])
    expect(problems({ expectations: [paced({ stream: false, pacing: { delayMs: 1 } })] })).toEqual([])
    expect(problems({ expectations: [paced({ stream: false, pacing: { tokensPerSecond: 1 } })] })).toEqual([
      expect.stringContaining("expectations[0].response: pacing tokensPerSecond paces the events of a stream")
    ])
  })

  test("has the ranges of a pacing that the library has", () => {
    const members = { delayMs: 2_147_483_647, firstTokenMs: 2_147_483_647, jitterMs: 2_147_483_647, seed: 2 ** 32 - 1 }
    const sse = (pacing: object) => ({ queues: { "/v1/messages": [{ sse: [], pacing }] } })

    expect(problems(sse(members))).toEqual([])
    expect(problems(sse({ tokensPerSecond: 0.001 }))).toEqual([])
    expect(problems(sse({ tokensPerSecond: 1_000_000 }))).toEqual([])
    for (const [name, most] of Object.entries({ ...members, tokensPerSecond: 1_000_000 })) {
      const pacing = { [name]: most + 1 }
      expect(problems(sse(pacing))).toEqual([
        expect.stringContaining(`pacing.${name}: ${most + 1} is out of range; give a`)
      ])
      expect(() => checkPacing(pacing)).toThrow(`pacing ${name} is ${most + 1}`)
    }
  })

  test("allows attempts for several endpoints only where no answer has the form of one API", () => {
    const { response: _, ...asked } = { ...expectation, endpoint: ["Messages", "Responses"] }

    expect(problems({ expectations: [{ ...asked, attempts: [{ hangUp: "rst" }, "calm"] }] })).toEqual([
      expect.stringMatching(/^expectations\[0\]\.endpoint: are 2, and attempts\[1\] has the form of one API; give one/)
    ])
    expect(
      problems({ expectations: [{ ...asked, attempts: [{ hangUp: "rst" }, { fault: "stall" }, { json: 1 }] }] })
    ).toEqual([])
  })

  test("is told where it stands in attempts and alternatives", () => {
    const { name, response: _, ...asked } = expectation
    const far = { text: "a", ending: { cut: "rst", afterEvent: 99 } }

    expect(
      problems({
        expectations: [
          { ...asked, name, attempts: ["a", far] },
          {
            name: "b",
            anyOf: [
              { ...asked, response: { status: 200 }, barriers: ["semanticEnd"] },
              { ...asked, response: far }
            ]
          }
        ]
      }).map((line) => line.replace(/: .*/, ""))
    ).toEqual([
      "expectations[0].attempts[1].ending.afterEvent",
      "expectations[1].anyOf[0].barriers[0]",
      "expectations[1].anyOf[1].response.ending.afterEvent"
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
