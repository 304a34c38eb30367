import { describe, expect, it } from "vitest"
import {
  CallSettled,
  InferenceRequestMatcher,
  InvalidOption,
  InvalidScript,
  ScriptedResponse
} from "../../src/index.ts"
import { startAskingWorld, unhandledWhile, untyped } from "../support/asking-world.ts"

const auxiliary = InferenceRequestMatcher.auxiliary("ChatCompletions")

const heldCall = async (options: { readonly windowBytes?: number } = {}) => {
  const world = startAskingWorld()
  const next = world.server.next()
  const asked = world.askNow({}, options)
  return { ...world, ...asked, call: await next }
}

describe("what a test says to a call in its hand", () => {
  const none = undefined
  it.each([
    ["fail(500, 5)", "fail", [500, 5], "fail(status, message): the message is 5; use a text", InvalidOption],
    ["fail of no status", "fail", [none], "fail(undefined): use a status from 400 to 599", InvalidOption],
    ["replyText(5)", "replyText", [5], "replyText(text): the text is 5; use a text", InvalidOption],
    ["replyText()", "replyText", [none], "replyText(text): the text is undefined; use a text", InvalidOption],
    ["reply(null)", "reply", [null], "the response is null; use a ScriptedResponse", InvalidScript],
    ["reply of text", "reply", ["hello"], 'the response is "hello"; use a ScriptedResponse', InvalidScript],
    [
      "a reply without headers",
      "reply",
      [{ ...ScriptedResponse.text(200, ""), headers: null }],
      "the headers are null; use a list of [name, value]",
      InvalidScript
    ],
    ["a reply of 103", "reply", [ScriptedResponse.text(103, "")], "status 103 is not the end", InvalidScript],
    ["stream(null)", "stream", [null], "the options are null; use { status, headers }", InvalidOption],
    ["a stream of 101", "stream", [{ status: 101 }], "status 101 is not the end", InvalidScript],
    ["a stream of no headers", "stream", [{ headers: null }], "the headers are null", InvalidScript],
    ["a stream of odd headers", "stream", [{ headers: [["a"]] }], 'the headers are [["a"]]', InvalidScript],
    ["a stream of stauts", "stream", [{ stauts: 200 }], 'no stauts; did you mean "status"?', InvalidOption],
    ["an ending of null", "hangUp", [null], "ending null is not known", InvalidScript]
  ] as const)(
    "is refused when it is %s, and the call can be answered still",
    async (_, method, given, message, error) => {
      const { call, answer, clock } = await heldCall()
      const say = () => Reflect.apply(call[method], call, given)

      expect(say).toThrow(error)
      expect(say).toThrow(message)
      call.replyText("still here")
      clock.settle()
      expect(answer.isComplete).toBe(true)
    }
  )

  it("is no text where it is a promise of one", async () => {
    const { call } = await heldCall()

    expect(() => Reflect.apply(call.replyText, call, [Promise.resolve("late")])).toThrow(InvalidOption)
  })
})

describe("a call that is handed back", () => {
  it("can be answered still when the decision throws", async () => {
    const { call, answer, clock, server } = await heldCall()
    if (typeof call.body !== "object" || call.body === null) throw new Error("the body is an object")
    Object.defineProperty(call.body, "messages", {
      get() {
        throw new Error("a broken body")
      }
    })

    expect(() => call.proceed()).toThrow("a broken body")
    expect(() => server.verify()).toThrow("was not answered")
    call.reply(ScriptedResponse.text(210, "by hand"))
    clock.settle()
    expect(answer.text()).toBe("by hand")
  })

  it("takes nothing when its client leaves in the same step", async () => {
    const { call, connection, server, askNow, clock } = await heldCall()
    const handle = server.expectResponse("for another", auxiliary, ScriptedResponse.text(210, "scripted"))
    const stop = server.watchTrace((event) => {
      if (event.type !== "request") return
      connection.disconnect()
      call.proceed()
    })
    server.next({ turn: 0 })
    askNow()
    stop()
    clock.settle()

    expect(handle.phase).toBe("Pending")
  })

  it("is answered once also when the test answers from within the decision", async () => {
    const { call, server, answer, clock } = await heldCall()
    const outcomes: Array<unknown> = []
    const stop = server.watchTrace((event) => {
      if (event.type !== "decision") return
      try {
        call.reply(ScriptedResponse.text(210, "twice"))
      } catch (error) {
        outcomes.push(error)
      }
    })
    call.proceed()
    clock.settle()
    stop()

    expect(outcomes).toEqual([expect.any(CallSettled)])
    expect(answer.text()).not.toContain("twice")
  })
})

describe("a stream that a test writes", () => {
  it("ends only as streams can, and can be ended still", async () => {
    const { call, answer, clock } = await heldCall()
    const stream = call.stream()

    expect(() => Reflect.apply(stream.end, stream, ["bogus"])).toThrow(InvalidScript)
    expect(() => Reflect.apply(stream.end, stream, [null])).toThrow(
      'ending null is not known; use "end", "fin", "rst", "halfClose", "stall", "vanish"'
    )
    stream.write("still open")
    stream.end("vanish")
    clock.settle()

    expect([answer.text(), answer.isComplete]).toEqual(["data: still open\n\n", false])
  })

  it.each(["null", "5", "[]", "{}"])("refuses the event %s", async (event) => {
    const { call } = await heldCall()
    const stream = call.stream()

    expect(() => stream.write(untyped(event))).toThrow(InvalidScript)
  })

  it("has nothing to write with a status without a body, not even to keep it alive", async () => {
    const { call, answer, clock } = await heldCall()
    const stream = call.stream({ status: 204 })

    expect(() => stream.write("x")).toThrow(new InvalidScript("an answer with status 204 has no body to write"))
    clock.advance(60_000)
    stream.end()
    clock.settle()
    expect([answer.status, answer.text(), answer.isComplete]).toEqual([204, "", true])
  })

  it("takes 64 MiB that a client does not read, and no more until it has", async () => {
    const { call, answer, clock } = await heldCall({ windowBytes: 1 })
    const stream = call.stream()
    const part = "x".repeat(8 * 1024 * 1024 - 8)
    for (let count = 0; count < 8; count++) stream.write(part)

    expect(() => stream.write(part)).toThrow(InvalidScript)
    expect(() => stream.write("x")).toThrow(
      /^67108864 bytes of the stream of call 1 .* wait for a client that does not read, and 67108864 may; await drained\(\)/
    )
    answer.read()
    clock.settle()
    stream.write("x")
  })

  it("counts also what is written from within a step of the server", async () => {
    const { call, server, askNow } = await heldCall({ windowBytes: 1 })
    const stream = call.stream()
    const part = "x".repeat(8 * 1024 * 1024)
    let written = 0
    const outcomes: Array<unknown> = []
    server.watchTrace((event) => {
      if (event.type !== "request") return
      try {
        for (; written < 100; written++) stream.write(part)
      } catch (error) {
        outcomes.push(error)
      }
    })
    askNow()

    expect(outcomes).toEqual([expect.any(InvalidScript)])
    expect(written).toBe(7)
  })

  it("has drained when all has left and the client takes more", async () => {
    const { call, answer, clock } = await heldCall({ windowBytes: 1 })
    const stream = call.stream()
    await stream.drained()
    for (const word of ["a", "b", "c"]) stream.write(word)
    let isDrained = false
    const drained = stream.drained().then(() => {
      isDrained = true
    })
    for (const _ of ["a", "b"]) {
      answer.read()
      clock.settle()
    }
    await Promise.resolve()
    expect(isDrained).toBe(false)
    answer.read()
    clock.settle()
    await drained

    expect(answer.text()).toBe("data: a\n\ndata: b\n\ndata: c\n\n")
    stream.write("d")
    stream.end()
    answer.read()
    clock.settle()
    await stream.drained()
    expect(answer.isComplete).toBe(true)
  })

  it.each(["the client leaves", "the server closes"])("does not drain when %s, and that is no crash", async (how) => {
    let drained: Promise<void> = Promise.resolve()
    const unhandled = await unhandledWhile(async () => {
      const { call, connection, clock, close } = await heldCall({ windowBytes: 1 })
      const stream = call.stream()
      for (const word of ["a", "b"]) stream.write(word)
      drained = stream.drained()
      if (how === "the client leaves") connection.disconnect()
      else await close()
      clock.settle()
    })

    await expect(drained).rejects.toThrow(CallSettled)
    await expect(drained).rejects.toThrow("ended before all that was written had left")
    expect(unhandled).toEqual([])
  })
})
