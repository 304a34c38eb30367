import { describe, expect, it } from "vitest"
import { CallSettled, InferenceRequestMatcher, ScriptedResponse, SseEvent, WaitEnded } from "../../src/index.ts"
import { startVirtualServer } from "../../src/sim.ts"

const start = (options: Parameters<typeof startVirtualServer>[0] = {}) => {
  const world = startVirtualServer(options)
  const ask = (body: unknown = {}, headers: ReadonlyArray<readonly [string, string]> = []) => {
    const connection = world.http.connect()
    const answer = connection.request({
      method: "POST",
      target: "/v1/chat/completions",
      headers: [["content-type", "application/json"], ...headers],
      body: JSON.stringify(body)
    })
    world.clock.settle()
    return { connection, answer }
  }
  return { ...world, ask }
}

const user = (...contents: ReadonlyArray<string>) => ({
  messages: contents.map((content) => ({ role: "user", content }))
})

describe("a call in the hand of a test", () => {
  it("is answered when the test says so, and shows what was asked", async () => {
    const { server, ask, clock } = start()
    const next = server.next()
    const { answer } = ask(user("hello"))
    const call = await next

    clock.advance(60_000)
    expect([answer.status, call.body, call.kind, call.turn]).toEqual([null, user("hello"), "auxiliary", 1])
    call.reply(ScriptedResponse.text(210, "by hand"))
    clock.settle()

    expect([answer.status, answer.text(), answer.isComplete]).toEqual([210, "by hand", true])
    expect(server.requests()[0]?.answer).toMatchObject({ source: "held", settled: "crossed", outcome: "completed" })
  })

  it("is answered with a text in the form that the client asked for", async () => {
    const { server, ask, clock } = start()
    const calls = server.gather(2)
    const streamed = ask({ stream: true })
    const whole = ask({})
    for (const call of await calls) call.replyText("by hand")
    clock.settle()

    expect(streamed.answer.text()).toContain('{"content":"by"}')
    expect(JSON.parse(whole.answer.text()).choices[0].message.content).toBe("by hand")
  })

  it("can be written event by event, and is kept alive meanwhile", async () => {
    const { server, ask, clock } = start()
    const next = server.next()
    const { answer } = ask()
    const stream = (await next).stream()

    stream.write("one")
    clock.settle()
    expect(answer.text()).toBe("data: one\n\n")
    clock.advance(16_000)
    stream.write(SseEvent.withEvent("two", "2"))
    stream.end()
    clock.settle()

    expect(answer.text()).toBe("data: one\n\n:\n\nevent: two\ndata: 2\n\n")
    expect(server.requests()[0]?.answer).toMatchObject({ events: 2, outcome: "completed", settled: "crossed" })
    expect(() => stream.write("three")).toThrow(CallSettled)
  })

  it("keeps the order of its events also for a reader that is slow", async () => {
    const { server, clock, http } = start()
    const next = server.next()
    const answer = http.connect({ windowBytes: 1 }).request({
      method: "POST",
      target: "/v1/messages",
      headers: [["content-type", "application/json"]],
      body: "{}"
    })
    const stream = (await next).stream()

    for (const word of ["a", "b", "c"]) stream.write(word)
    stream.end("fin")
    for (let reads = 0; reads < 5; reads++) {
      answer.read()
      clock.settle()
    }

    expect([answer.text(), answer.ended]).toEqual(["data: a\n\ndata: b\n\ndata: c\n\n", "fin"])
  })

  it("keeps the order of thousands of events that outrun their reader, and is kept alive behind them", async () => {
    const { server, clock, http } = start()
    const next = server.next()
    const answer = http.connect({ windowBytes: 1_000 }).request({
      method: "POST",
      target: "/v1/chat/completions",
      headers: [["content-type", "application/json"]],
      body: "{}"
    })
    const stream = (await next).stream()
    const words = Array.from({ length: 5_000 }, (_, index) => String(index))
    for (const word of words) stream.write(word)
    while (!answer.text().includes("4999")) {
      answer.read()
      clock.settle()
    }

    clock.advance(15_000)
    stream.end()
    clock.settle()

    expect(answer.text()).toBe(`${words.map((word) => `data: ${word}\n\n`).join("")}:\n\n`)
  })

  it("can be failed in the shape of the API, or hung up on", async () => {
    const { server, ask, clock } = start()
    const calls = server.gather(2)
    const failed = ask()
    const dropped = ask()
    const [first, second] = await calls
    first?.fail(429, "slow down")
    second?.hangUp()
    clock.settle()

    expect(JSON.parse(failed.answer.text()).error).toMatchObject({ message: "slow down", code: "rate_limit_exceeded" })
    expect([dropped.answer.status, dropped.answer.ended]).toEqual([null, "fin"])
    expect(() => first?.fail(200)).toThrow(CallSettled)
  })

  it("goes on as if nobody had held it, with everything that an expectation is", async () => {
    const { server, ask, clock } = start()
    const handle = server.expectResponseBlocked(
      "turn",
      InferenceRequestMatcher.auxiliary("ChatCompletions"),
      ScriptedResponse.text(210, "scripted")
    )
    const next = server.next()
    const { answer } = ask()
    const call = await next
    expect(handle.phase).toBe("Pending")

    call.proceed()
    clock.settle()
    expect(handle.phase).toBe("Blocked")
    handle.release()
    clock.settle()

    expect([answer.status, handle.isSatisfied()]).toEqual([210, true])
    expect(server.requests()[0]?.answer).toMatchObject({ source: "expectation", expectation: "turn" })
  })

  it("settles once, whoever is first: a second answer and one to a client that left say so", async () => {
    const { server, ask, clock } = start()
    const calls = server.gather(2)
    ask()
    const left = ask()
    const [answered, gone] = await calls
    answered?.reply(ScriptedResponse.text(200, ""))
    left.connection.disconnect()
    clock.settle()

    expect(() => answered?.hangUp()).toThrow("was answered by reply; hangUp comes too late")
    expect(() => gone?.replyText("x")).toThrow("has left")
    expect([gone?.isGone, answered?.isGone]).toEqual([true, false])
    expect(server.requests()[1]?.answer).toMatchObject({ settled: "cancelled", outcome: "client_closed" })
  })

  it("is not answered by a script that cannot be served, and can be answered still", async () => {
    const { server, ask, clock } = start()
    const next = server.next()
    const { answer } = ask()
    const call = await next

    expect(() => call.reply(ScriptedResponse.text(99, ""))).toThrow("response status 99")
    expect(() => call.fail(200)).toThrow("use a status from 400 to 599")
    call.replyText("still here")
    clock.settle()

    expect(answer.isComplete).toBe(true)
  })

  it("is taken only where it fits: endpoint, kind, session, turn, anything", async () => {
    const { server, ask, clock } = start({ sessions: { sessionHeader: "X-Team" } })
    const wanted = server.next({ session: "red", turn: 2, where: (request) => request.header("x-extra") === "yes" })

    const others = [
      ask(user("a", "b"), [["x-team", "blue"]]),
      ask(user("a"), [["x-team", "red"]]),
      ask(user("a", "b"), [["x-team", "red"]])
    ]
    const fits = ask(user("a", "b"), [
      ["x-team", "red"],
      ["x-extra", "yes"]
    ])

    expect(others.map(({ answer }) => answer.isComplete)).toEqual([true, true, true])
    expect(fits.answer.status).toBe(null)
    const call = await wanted
    expect([call.session, call.turn, call.number]).toEqual(["red", 2, 4])
    call.replyText("x")
    clock.settle()
  })

  it("that is forgotten does not hang the server: it is named with the line that took it", async () => {
    const { server, ask, clock } = start()
    const next = server.next()
    ask()
    await next

    const closing = server.close()
    clock.advance(1_000)

    expect((await closing).blocked).toEqual([
      expect.stringMatching(
        /^POST \/v1\/chat\/completions, held by the test at \S*held-calls\.test\.ts:\d+:\d+, waits for the test to say what comes next$/
      )
    ])
  })

  it("that never comes ends its wait with the server, with the line that waits", async () => {
    const { server, clock } = start()
    const next = server.next()

    const closing = server.close()
    clock.settle()
    await closing

    await expect(next).rejects.toThrow(WaitEnded)
    await expect(next).rejects.toThrow(/next\(\) at \S*held-calls\.test\.ts:\d+/)
    await expect(server.next()).rejects.toThrow("the server is closed")
  })
})

describe("gathered calls", () => {
  it("wait for each other, identical ones too, and are answered in the order that the test writes", async () => {
    const { server, ask, clock } = start()
    const gathered = server.gather(3)
    const answers = [ask(), ask()]
    let isThere = false
    void gathered.then(() => {
      isThere = true
    })
    await Promise.resolve()
    expect(isThere).toBe(false)
    answers.push(ask())
    const calls = await gathered
    for (const index of [2, 0, 1]) calls[index]?.replyText(String(index))
    clock.settle()

    const order = server.traceEvents().flatMap((event) => (event.type === "settled" ? [event.request] : []))
    expect(order).toEqual([3, 1, 2])
    expect(answers.every(({ answer }) => answer.isComplete)).toBe(true)
  })

  it("do not count a client that left before all had come", async () => {
    const { server, ask } = start()
    const gathered = server.gather(2)
    ask().connection.disconnect()
    ask()
    await new Promise(setImmediate)
    ask()

    expect((await gathered).map((call) => call.number)).toEqual([2, 3])
  })
})
