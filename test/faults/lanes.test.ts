import { describe, expect, it } from "vitest"
import { virtualFaults } from "../support/fault-world.ts"

const alphaChoices = [
  "success",
  "partial_disconnect",
  "success",
  "empty",
  "success",
  "success",
  "success",
  "success",
  "success",
  "slow_success"
]
const betaChoices = [
  "success",
  "rate_limit",
  "success",
  "success",
  "success",
  "success",
  "rate_limit",
  "service_unavailable",
  "success",
  "success"
]

const inLane = (lane: string) => ({ path: `/lanes/${lane}/v1/chat/completions` })

describe("Lanes", () => {
  it("draw their own faults, whatever the order of the callers", () => {
    for (const order of ["abababababababababab", "aaaaaaaaaabbbbbbbbbb", "bbbbabababaaaaabbbaa"]) {
      const { server, answer } = virtualFaults({
        sequence: ["random"],
        repeatLast: true,
        randomSeed: 42,
        lanes: { by: ["path"] }
      })

      for (const caller of order) answer(inLane(caller === "a" ? "alpha" : "beta"))

      const chosen = (lane: string) =>
        server.requests.filter((request) => request.lane === lane).map(({ behavior }) => behavior)
      expect(chosen("alpha")).toEqual(alphaChoices)
      expect(chosen("beta")).toEqual(betaChoices)
    }
  })

  it("have scripts of their own, and say what was not used", () => {
    const { server, answer } = virtualFaults({
      lanes: {
        by: ["header:x-caller"],
        scripts: { alpha: { sequence: ["rate_limit", "success"] }, "b*": { sequence: ["success"] } }
      }
    })
    const ask = (caller: string) => answer({ headers: [["x-caller", caller]] }).status

    expect(() => server.assertDrained()).toThrow("lane `alpha` never appeared")
    expect(ask("alpha")).toBe(429)
    expect(() => server.assertDrained()).toThrow("lane `alpha` used 1 of 2 entries")
    expect([ask("beta"), ask("alpha"), ask("bravo")]).toEqual([200, 200, 200])
    expect(() => server.assertDrained()).not.toThrow()
    expect(ask("beta")).toBe(500)
    expect(server.unexpected).toMatchObject([{ lane: "beta", laneAttempt: 2, attempt: 5 }])
  })

  it("put their own attempt into ids, so that other lanes change no byte", () => {
    const ids = (callers: string) => {
      const { answer } = virtualFaults({ sequence: ["success"], repeatLast: true, lanes: { by: ["path"] } })
      return [...callers].flatMap((caller) => {
        const text = answer({ ...inLane(caller), path: `/lanes/${caller}/v1/responses` }).text()
        return caller === "a" ? [text] : []
      })
    }

    expect(ids("abba")).toEqual(ids("aa"))
  })

  it("fail twice and then succeed for each call, when the call is the lane", () => {
    const { answer } = virtualFaults({
      sequence: ["server_error", "server_error", "success"],
      repeatLast: true,
      lanes: { by: ["fingerprint"] }
    })
    const ask = (content: string) =>
      answer({ body: { stream: true, model: "m", messages: [{ role: "user", content }] } }).status

    expect([ask("a"), ask("b"), ask("a"), ask("b"), ask("a"), ask("b"), ask("a")]).toEqual([
      500, 500, 500, 500, 200, 200, 200
    ])
  })

  it("spare side calls when only turns take faults", () => {
    const { server, answer } = virtualFaults({ sequence: ["rate_limit", "success"], lanes: { onlyForeground: true } })
    const turn = [["x-grok-turn-idx", "1"]] as const

    expect(answer().status).toBe(200)
    expect(answer({ headers: turn }).status).toBe(429)
    expect(answer().status).toBe(200)
    expect(answer({ headers: turn }).status).toBe(200)
    expect(server.requests.map(({ lane }) => lane)).toEqual(["auxiliary", "default", "auxiliary", "default"])
    server.assertDrained()
  })

  it("without a script are refused when they are strict, and consume nothing", () => {
    const { server, answer } = virtualFaults({
      sequence: ["success"],
      lanes: { by: ["header:x-caller"], isStrict: true, scripts: { alpha: { sequence: ["success"] } } }
    })

    const response = answer({ headers: [["x-caller", "eve"]] })

    expect(response.status).toBe(421)
    expect(response.text()).toContain('"code":"unknown_lane"')
    expect(server.requests).toEqual([])
    expect(answer().status).toBe(200)
  })

  it.each([
    ["json:/metadata/session", { metadata: { session: "s1" } }, {}, "s1"],
    ["json:/user", { user: 7 }, {}, "7"],
    ["session", { prompt_cache_key: "p" }, {}, "p"],
    ["header:X-Session", {}, { "x-session": "h" }, "h"],
    ["json:/absent", {}, {}, "default"]
  ])("are found by %s", (rule, body, headers, lane) => {
    const { server, answer } = virtualFaults({ sequence: ["success"], lanes: { by: [rule as "session"] } })

    answer({ body: { ...body, stream: true }, headers: Object.entries(headers) })

    expect(server.requests[0]?.lane).toBe(lane)
  })

  it("are asked for in the order of the rules", () => {
    const { server, answer } = virtualFaults({
      sequence: ["success"],
      repeatLast: true,
      lanes: { by: ["header:x-a", "header:x-b"] }
    })

    answer({
      headers: [
        ["x-b", "2"],
        ["x-a", "1"]
      ]
    })
    answer({ headers: [["x-b", "2"]] })
    answer()

    expect(server.requests.map(({ lane }) => lane)).toEqual(["1", "2", "default"])
  })

  it("may be left out of it: keyed faults follow from session, turn and attempt alone", () => {
    const behaviors = (order: ReadonlyArray<string>) => {
      const { server, answer } = virtualFaults({ sequence: ["random"], repeatLast: true, randomSeed: 9, keyed: true })
      for (const session of order) {
        answer({ body: { stream: true, prompt_cache_key: session, messages: [{ role: "user", content: session }] } })
      }
      return Object.fromEntries(
        ["a", "b"].map((session) => [
          session,
          server.requests
            .filter(({ body }) => JSON.stringify(body).includes(`"prompt_cache_key":"${session}"`))
            .map(({ behavior }) => behavior)
        ])
      )
    }

    expect(behaviors(["a", "b", "a", "b"])).toEqual(behaviors(["b", "b", "a", "a"]))
  })

  it("take a fault that a request asks for out of no script", () => {
    const { server, answer } = virtualFaults({ sequence: ["success"] })
    const asking = (fault: string) => answer({ headers: [["x-understudy-fault", fault]] })

    expect(asking("rate_limit").status).toBe(429)
    expect(asking("connection_reset:rst").ended).toBe("rst")
    expect(asking("rate_limits").text()).toContain('did you mean \\"rate_limit\\"?')
    expect(answer().status).toBe(200)
    expect(server.requests.map(({ lane }) => lane)).toEqual(["header", "header", "default"])
  })

  it("leave the header alone when they are strict", () => {
    const { answer } = virtualFaults({ sequence: ["success"], lanes: { isStrict: true } })

    expect(answer({ headers: [["x-understudy-fault", "rate_limit"]] }).status).toBe(200)
  })
})

it("a lane that is named default is another than the cursor that all callers share", () => {
  const { answer } = virtualFaults({
    sequence: ["server_error", "success"],
    lanes: { by: ["path"], perLane: false, scripts: { default: { sequence: ["rate_limit", "success"] } } }
  })

  expect([answer().status, answer(inLane("beta")).status, answer().status, answer(inLane("beta")).status]).toEqual([
    429, 500, 200, 200
  ])
})
