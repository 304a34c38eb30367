import { describe, expect, test } from "vitest"
import { singleHandles } from "../../src/inference/scenario-register.ts"
import { asked, play, user } from "./scenario-play.ts"

describe("an expectation of a scenario", () => {
  test("with times is for so many requests, under one name", () => {
    const { ask, applied } = play({
      strict: true,
      expectations: [{ ...asked, name: "hello", times: 2, response: { status: 210 } }]
    })

    expect([ask().status, ask().status, ask().status]).toEqual([210, 210, 400])
    expect(applied.handles.get("hello")?.isSatisfied()).toBe(true)
  })

  test("for several endpoints answers once, in the form of the API that asks", () => {
    const { ask, applied } = play({
      expectations: [
        { ...asked, endpoint: ["Messages", "Responses"], name: "either", times: 2, response: "calm" },
        { ...asked, endpoint: ["Messages", "ChatCompletions"], name: "raw", response: { raw: "x", status: 211 } }
      ]
    })

    expect(ask({ path: "/v1/responses" }).text()).toContain("response.output_text.delta")
    expect(ask({ path: "/v1/messages" }).text()).toContain("content_block_delta")
    expect([ask({ path: "/v1/messages" }).status, ask().status]).toEqual([211, 200])
    expect([...applied.handles.values()].map((handle) => handle.isSatisfied())).toEqual([true, true])
  })

  test("with conditions is for requests of which all hold, and a strict miss says which did not", () => {
    const { ask } = play({
      strict: true,
      sessions: { sessionHeader: "x-session" },
      expectations: [
        {
          ...asked,
          name: "ann's weather",
          where: {
            headers: { "x-team": { matches: "^(red|blue)$" } },
            session: "ann",
            turn: 1,
            body: { "/model": { equals: "m" } },
            lastUserMessage: { contains: "weather" }
          },
          response: { status: 210 }
        }
      ]
    })
    const headers = { "x-team": "red", "x-session": "ann" }

    const miss = JSON.parse(ask({ headers: { "x-team": "green", "x-session": "bob" }, body: user("hi") }).text())
    expect(miss.error.message).toContain(
      '`ann\'s weather`: it wants header x-team matches /^(red|blue)$/u, but header x-team is "green"; ' +
        'it wants session is "ann", but session is "bob"; ' +
        'it wants the last user message contains "weather", but the last user message is "hi"'
    )
    expect(ask({ headers, body: { ...user("weather?"), model: "n" } }).text()).toContain(
      'it wants body /model is \\"m\\", but body /model is \\"n\\"'
    )
    expect(ask({ headers, body: user("the weather?") }).status).toBe(210)
  })

  test("with attempts gives a retry the next, and never what is for another call", () => {
    const { ask, server } = play({
      strict: true,
      expectations: [
        {
          ...asked,
          name: "first turn",
          attempts: [
            { text: "calm", ending: { cut: "rst", afterEvent: 1 } },
            { error: "busy", status: 503 },
            { status: 210 }
          ]
        },
        { ...asked, name: "second turn", response: { status: 211 } }
      ]
    })

    const tries = [1, 2, 3].map(() => ask({ body: user("weather?") }))
    const next = ask({ body: user("and the water?") })

    expect(tries.map(({ status, response }) => [status, response.ended])).toEqual([
      [200, "rst"],
      [503, "end"],
      [210, "end"]
    ])
    expect(next.status).toBe(211)
    server.verify()
  })

  test("with attempts so many times is for so many calls", () => {
    const { ask, server } = play({
      strict: true,
      expectations: [{ ...asked, name: "flaky", times: 2, attempts: [{ hangUp: "rst" }, { status: 210 }] }]
    })

    const statuses = ["a", "b"].flatMap((call) => [ask({ body: user(call) }).status, ask({ body: user(call) }).status])

    expect(statuses).toEqual([null, 210, null, 210])
    server.verify()
  })

  test("with alternatives gives one of them", () => {
    const { ask, server, applied } = play({
      expectations: [
        {
          name: "title or turn",
          anyOf: [
            { ...asked, where: { headers: { "x-title": { present: true } } }, response: { status: 210 } },
            { ...asked, where: { headers: { "x-title": { present: false } } }, response: { status: 211 } }
          ]
        }
      ]
    })

    expect([ask().status, ask({ headers: { "x-title": "1" } }).status]).toEqual([211, 200])
    expect(applied.handles.get("title or turn")?.isSatisfied()).toBe(true)
    server.verify()
  })
})

describe("a stream of a scenario", () => {
  test("is paced as it says, over the delay of all", () => {
    const { ask, clock } = play({
      chunkDelayMs: 1,
      expectations: [
        { ...asked, name: "slow", response: { sse: ["a", "b"], pacing: { firstTokenMs: 800, delayMs: 50 } } }
      ]
    })
    const answer = ask()

    const seen = [799, 1, 49, 1].map((ms) => {
      clock.advance(ms)
      return answer.events().length
    })

    expect(seen).toEqual([0, 1, 1, 2])
  })

  test.each(["fin", "rst", "halfClose"] as const)("can be ended by %s after so many events", (cut) => {
    const { ask } = play({
      expectations: [{ ...asked, name: "cut", response: { sse: ["a", "b", "c"], ending: { cut, afterEvent: 2 } } }]
    })

    const answer = ask()

    expect([answer.text(), answer.response.ended]).toEqual(["data: a\n\ndata: b\n\n", cut])
  })

  test("can stall before its first event", () => {
    const { ask, clock } = play({
      queues: { "/v1/chat/completions": [{ sse: ["a"], ending: { cut: "stall", afterEvent: 0 } }] }
    })
    const answer = ask()
    clock.advance(5_000)

    expect([answer.status, answer.text(), answer.isComplete]).toEqual([200, "", false])
  })
})

describe("a scenario with a story, loaded again", () => {
  const hold = { name: "held", anyOf: [{ ...asked, response: { status: 210 }, barriers: ["head"] }] }

  test("takes back every number that nobody claimed, and keeps what runs to be released", () => {
    const { ask, again, server, clock } = play({ expectations: [{ ...hold, times: 3 }] })
    ask()
    const running = ask()

    const after = again({
      expectations: [
        { ...hold, times: 3 },
        { ...asked, name: "new", response: { status: 211 } }
      ]
    })
    expect(after.skipped).toEqual(["held"])
    expect(ask().status).toBe(211)
    expect(ask().status).toBe(200)
    after.handles.get("held")?.release()
    clock.settle()

    expect(running.status).toBe(210)
    server.verify()
  })

  test("registers no number of a name of which another one still runs", () => {
    const twice = { ...asked, name: "a", times: 2, response: { status: 210 }, barriers: ["head"] }
    const { ask, again, applied, clock } = play({ expectations: [twice] })
    ask()
    ask()
    const whole = applied.handles.get("a")
    const [first] = whole === undefined ? [] : singleHandles(whole)
    first?.release()
    clock.settle()

    expect(first?.phase).toBe("Satisfied")
    expect(again({ expectations: [twice] }).skipped).toEqual(["a"])
    expect(ask().status).toBe(200)
  })

  test("registers all numbers again when none of them runs any more", () => {
    const twice = { expectations: [{ ...asked, name: "a", times: 2, response: { status: 210 } }] }
    const { ask, again } = play(twice)
    ask()

    expect(again(twice).skipped).toEqual([])
    expect([ask().status, ask().status, ask().status]).toEqual([210, 210, 200])
  })

  test("changes strictness, and says what stays as it was before", () => {
    const tries = { ...asked, name: "a", attempts: [{ status: 210 }] }
    const { again, ask, applied } = play({
      strict: true,
      sessions: { sessionHeader: "x-session" },
      expectations: [tries]
    })
    expect(applied).toMatchObject({ attempts: "set", sessions: "set" })

    const after = again({ sessions: { sessionHeader: "x-other" } })

    expect(after).toMatchObject({ attempts: "kept", sessions: "kept", settings: "none" })
    expect(ask().status).toBe(200)
    expect(again({ sessions: { sessionHeader: "x-session" }, expectations: [tries] })).toMatchObject({
      attempts: "set",
      sessions: "set"
    })
    expect(play({}).applied).toMatchObject({ attempts: "none", sessions: "none", faultHeader: "none" })
  })

  test("says that attempts are counted for a condition on one", () => {
    const { applied, again } = play({
      expectations: [{ name: "a", anyOf: [{ ...asked, where: { attempt: 2 }, response: "x" }] }]
    })

    expect([applied.attempts, again({}).attempts]).toEqual(["set", "kept"])
  })

  test.each([
    [{ sessions: {} }, { sessions: { retries: "own" } }, { sessions: "set" }],
    [{ sessions: {} }, { sessions: { retries: "any" } }, { sessions: "kept" }],
    [{ sessions: { retries: "any" } }, {}, { sessions: "kept" }],
    [{ faultHeader: true }, { faultHeader: true }, { faultHeader: "set" }],
    [{ faultHeader: true }, { faultHeader: false }, { faultHeader: "kept" }],
    [{ faultHeader: true }, {}, { faultHeader: "kept" }],
    [{}, { faultHeader: true }, { faultHeader: "kept" }]
  ])("says what of the start stays as it was (%j, then %j)", (first, next, outcome) => {
    expect(play(first).again(next)).toMatchObject(outcome)
  })

  test("of the largest size is applied in a moment", () => {
    const { applied, ask, again } = play({
      expectations: [{ ...asked, name: "many", times: 100_000, response: { status: 210 } }]
    })

    expect(ask().status).toBe(210)
    again({})
    expect(applied.handles.get("many")?.claims).toBe(1)
    expect(ask().status).toBe(200)
  })
})
