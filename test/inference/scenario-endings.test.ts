import { describe, expect, test } from "vitest"
import { checkSchema } from "../../src/inference/scenario-check.ts"
import { formatPath } from "../../src/inference/scenario-problem.ts"
import { scenarioSchema } from "../../src/inference/scenario-schema.ts"
import { readScenario } from "../../src/inference/scenario-script.ts"
import { asked, play } from "./scenario-play.ts"

const response = (value: unknown): ReadonlyArray<string> =>
  checkSchema(scenarioSchema.$defs.response, { value, defs: scenarioSchema.$defs, path: [] }).map(
    ({ path, message, at }) => `${formatPath(path)} (${at}): ${message}`
  )

const problems = (value: unknown): ReadonlyArray<string> => {
  const reading = readScenario(value)
  return reading.ok ? [] : reading.problems.map(({ path, message }) => `${formatPath(path)}: ${message}`)
}

describe("an answer of a scenario that is no stream", () => {
  test.each([
    [{ json: 1 }, "end"],
    [{ error: "no", status: 200 }, "end"],
    [{ text: "hi", stream: false }, "end"],
    [{ status: 200 }, "end"],
    [{ hangUp: "rst" }, "rst"]
  ])("waits once before its head, as its pacing says (%j)", (response, ended) => {
    const { ask, clock } = play({
      expectations: [{ ...asked, name: "slow", response: { ...response, pacing: { firstTokenMs: 800 } } }]
    })
    const answer = ask()

    clock.advance(799)
    expect([answer.status, answer.response.ended]).toEqual([null, null])
    clock.advance(1)
    expect(answer.response.ended).toBe(ended)
  })

  test("can be cut after so many bytes", () => {
    const { ask, get } = play({
      expectations: [{ ...asked, name: "cut", response: { json: [1, 2], ending: { cut: "rst", afterBytes: 2 } } }],
      queues: { "/v1/settings": [{ raw: "abc", ending: { cut: "fin", afterBytes: 1 } }] }
    })

    const answers = [ask(), get("/v1/settings")]

    expect(answers.map((answer) => [answer.header("content-length"), answer.text(), answer.response.ended])).toEqual([
      ["5", "[1", "rst"],
      ["3", "a", "fin"]
    ])
  })

  test("says how what is no stream may end and be paced", () => {
    expect(response({ json: 1, ending: { cut: "rst", afterEvent: 1 } })).toEqual([
      'ending.afterEvent (key): is an unknown key; known here: "cut", "afterBytes"'
    ])
    expect(response({ json: 1, pacing: { tokensPerSecond: 5 } })).toEqual([
      expect.stringContaining(
        'pacing.tokensPerSecond (key): is an unknown key; known here: "delayMs", "firstTokenMs", '
      )
    ])
    expect(response({ sse: [], ending: { cut: "rst", afterBytes: 1 } })).toEqual([
      'ending.afterBytes (key): is an unknown key; known here: "cut", "afterEvent"'
    ])
    expect(response({ status: 204, ending: { cut: "rst", afterBytes: 1 } })).toEqual([
      expect.stringContaining("ending (value): a mapping is not one of")
    ])
  })

  test("allows a cut by bytes only of a whole body that is longer", () => {
    const cut = (response: object, afterBytes: number) =>
      problems({ queues: { "/v1/messages": [{ ...response, ending: { cut: "rst", afterBytes } }] } })
    const at = 'queues["/v1/messages"][0].ending.afterBytes: '

    expect(cut({ raw: "abc" }, 2)).toEqual([])
    expect(cut({ raw: "abc" }, 3)).toEqual([
      `${at}the cut after 3 bytes leaves nothing out; use a whole number from 0 to 2`
    ])
    expect(cut({ text: "a" }, 1)).toEqual([
      `${at}cannot be 1, for a stream is cut after an event; give "afterEvent", or "stream": false`
    ])
  })
})

describe("a stream of a scenario", () => {
  const cut = (afterEvent: number, sse: ReadonlyArray<string> = ["a", "b"]) =>
    problems({ queues: { "/v1/messages": [{ sse, ending: { cut: "rst", afterEvent } }] } })
  const at = 'queues["/v1/messages"][0].ending.afterEvent: '

  test("is cut where a cut leaves something out, as in the library", () => {
    expect([cut(0), cut(1)]).toEqual([[], []])
    expect(cut(2)).toEqual([`${at}the cut after event 2 leaves nothing out; use a whole number from 0 to 1`])
    expect(cut(0, [])).toEqual([`${at}the cut after event 0 leaves nothing out; a stream of no events cannot be cut`])
  })
})
