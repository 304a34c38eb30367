import { describe, expect, test } from "vitest"
import { checkEntryOptions } from "../../src/domain/check-fault-options.ts"
import { faultNames } from "../../src/domain/fault-names.ts"
import { faultDefaults } from "../../src/domain/fault-options.ts"
import { checkSchema } from "../../src/inference/scenario-check.ts"
import { formatPath } from "../../src/inference/scenario-problem.ts"
import { scenarioSchema } from "../../src/inference/scenario-schema.ts"
import type { SchemaNode } from "../../src/inference/scenario-schema-node.ts"
import { readScenario } from "../../src/inference/scenario-script.ts"
import { asked, play, script, user } from "./scenario-play.ts"

const told = (value: unknown, node: SchemaNode): ReadonlyArray<string> =>
  checkSchema(node, { value, defs: scenarioSchema.$defs, path: [] }).map(
    ({ path, message, at }) => `${formatPath(path)} (${at}): ${message}`
  )
const response = (value: unknown) => told(value, scenarioSchema.$defs.response)

const problems = (value: unknown): ReadonlyArray<string> => {
  const reading = readScenario(value)
  return reading.ok ? [] : reading.problems.map(({ path, message }) => `${formatPath(path)}: ${message}`)
}

describe("a fault of a scenario", () => {
  const error = (call: { json(): unknown }) => call.json()

  test("is an answer in the form of the API that asks, in an expectation, an alternative and a queue", () => {
    const { ask, server } = play({
      strict: true,
      expectations: [
        {
          ...asked,
          endpoint: ["ChatCompletions", "Messages"],
          name: "limits",
          times: 2,
          response: { fault: { name: "rate_limit", retryAfterMs: 1500 } }
        },
        { name: "one of two", anyOf: [{ ...asked, response: { fault: "not_found" } }] }
      ],
      queues: { "/v1/responses": [{ fault: { name: "overloaded", requestId: "r1" } }] }
    })
    const limited = [ask(), ask({ path: "/v1/messages" })]
    const others = [ask(), ask({ path: "/v1/responses" })]

    expect(limited.map((answer) => [answer.status, answer.header("retry-after")])).toEqual([
      [429, "2"],
      [429, "2"]
    ])
    expect(limited.map(error)).toMatchObject([
      { error: { type: "requests" } },
      { type: "error", error: { type: "rate_limit_error" } }
    ])
    expect(others.map((answer) => [answer.status, answer.header("x-request-id")])).toEqual([
      [404, "req_mock"],
      [529, "r1"]
    ])
    server.verify()
  })

  test("is one of the attempts of a call, and the third dies at its barrier", () => {
    const { ask, applied, server, clock } = play({
      strict: true,
      profile: "full",
      expectations: [
        { ...asked, name: "busy", attempts: [{ fault: "server_error" }, { fault: "overloaded" }] },
        {
          ...asked,
          name: "dying",
          where: { attempt: 3 },
          response: { fault: { name: "cut_at_event", cutAfterEvents: 2, resetMode: "rst", disconnectDelayMs: 0 } },
          barriers: [{ at: { afterEvent: 1 }, name: "one" }, "terminal"]
        }
      ]
    })
    const body = { ...user("weather?"), stream: true }

    expect([ask({ body }).status, ask({ body }).status]).toEqual([500, 529])
    const dying = ask({ body })
    const seen = [dying.events().length]
    for (const name of ["one", "terminal"]) {
      applied.handles.get("dying")?.release(name)
      clock.settle()
      seen.push(dying.events().length)
    }

    expect(seen).toEqual([1, 2, 2])
    expect(dying.response.ended).toBe("rst")
    server.verify()
  })

  test("can be asked for by header as the scenario says", () => {
    const heard = (value: object) =>
      play(value).ask({ headers: { "x-understudy-fault": "service_unavailable" } }).status

    expect([{}, { strict: true }, { strict: true, faultHeader: true }, { faultHeader: false }].map(heard)).toEqual([
      503, 400, 503, 200
    ])
  })

  test("can be followed by the next entry of a queue where retries may take any", () => {
    const queues = { "/v1/chat/completions": [{ fault: "rate_limit" }, { status: 210 }] }
    const statuses = (retries: string) => {
      const { ask } = play({ sessions: { retries }, queues })
      return [ask({ body: user("a") }).status, ask({ body: user("a") }).status]
    }

    expect([statuses("any"), statuses("own")]).toEqual([
      [429, 210],
      [429, 200]
    ])
  })
})

describe("a written fault", () => {
  test("that is not known names the one that was meant, and lists all where nothing is near", () => {
    expect(response({ fault: "rate_limits" })).toEqual([
      'fault (value): "rate_limits" is not known; did you mean "rate_limit"?'
    ])
    expect(response({ fault: { name: "cut_at_evnt" } })).toEqual([
      'fault.name (value): "cut_at_evnt" is not known; did you mean "cut_at_event"?'
    ])
    expect(response({ fault: "zzzzzzzzzz" })).toEqual([
      expect.stringMatching(
        /^fault \(value\): "zzzzzzzzzz" is not one of "connection_reset", .*, "redirect" or \{ name: \.\.\. \}$/
      )
    ])
    expect(response({ fault: 5 })).toEqual([
      `fault (value): 5 does not fit; give one of "connection_reset", "stream_disconnect", "empty" and ${faultNames.length - 3} others or a mapping with "name"`
    ])
  })

  test("says what belongs to a fault, and that nothing else stands beside it", () => {
    expect(response({ fault: { name: "stall", chunkSise: 1 } })).toEqual([
      'fault.chunkSise (key): is an unknown key; did you mean "chunkSize"?'
    ])
    expect(response({ fault: { retryAfterMs: 1 } })).toEqual([
      'fault (value): has no "name"; add one, for it says what this is'
    ])
    expect(response({ fault: { name: "rate_limit", retryAfterMs: 0 } })).toEqual([
      "fault.retryAfterMs (value): 0 is out of range; give a whole number from 1 to 2147483647"
    ])
    expect(response({ fault: "stall", status: 500 })).toEqual([
      'status (key): is not allowed beside "fault"; allowed there: "fault"'
    ])
    expect(response({ fault: { name: "stall", requestId: "a\nb", toolName: "" } })).toEqual([
      'fault.requestId (value): "a\\nb" is no HTTP header value; use visible ASCII, spaces and tabs',
      "fault.toolName (value): is empty; give at least one character"
    ])
    expect(told({ fault: "stall" }, scenarioSchema.$defs.resourceResponse)).toEqual([
      expect.stringContaining("fault (key): is an unknown key")
    ])
  })

  test("has the ranges of the options of faults that the library has", () => {
    const withOption = (name: string, value: unknown) => response({ fault: { name: "stall", [name]: value } })
    const says = (name: string, value: unknown): boolean => {
      try {
        checkEntryOptions({ [name]: value }, "")
        return false
      } catch {
        return true
      }
    }
    const numbers = [-1, 0, 1, 0.5, 2 ** 31 - 1, 2 ** 31, Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER, 2 ** 53]
    const texts = ["", "a", "{}", "rst", "fin", "\n", "\t", "é"]

    // Whether a text is JSON no schema can say; it is checked with the rest of the answer.
    const { toolArguments: _, ...options } = { ...faultDefaults, requestId: "r" }
    for (const [name, value] of Object.entries(options)) {
      expect(withOption(name, value)).toEqual([])
      for (const tried of typeof value === "number" ? numbers : texts) {
        expect([name, tried, withOption(name, tried).length > 0]).toEqual([name, tried, says(name, tried)])
      }
    }
  })

  test("writes arguments of a tool that are no text as JSON, and takes no text that is no JSON", () => {
    const fault = (toolArguments: unknown) => ({ fault: { name: "tool_call_success", toolArguments } })
    const { queued } = script({ queues: { "/v1/messages": [fault({ a: [1] }), fault('{"b": 2}')] } })

    expect(queued.map(({ response }) => response.body)).toMatchObject([
      { options: { toolArguments: '{"a":[1]}' } },
      { options: { toolArguments: '{"b": 2}' } }
    ])
    expect(problems({ queues: { "/v1/messages": [fault("{")] } })).toEqual([
      expect.stringContaining(
        'queues["/v1/messages"][0]: the fault tool_call_success: toolArguments must be valid JSON'
      )
    ])
  })
})
