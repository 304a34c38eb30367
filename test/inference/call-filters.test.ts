import { describe, expect, it } from "vitest"
import { InvalidOption, ScriptedResponse, VerificationFailed } from "../../src/index.ts"
import { startAskingWorld, unhandledWhile, untyped } from "../support/asking-world.ts"

const path = "/v1/chat/completions"

type Server = ReturnType<typeof startAskingWorld>["server"]

/** Waits with a condition that no type allows. */
const nextWhere = (server: Server, where: () => unknown): Promise<unknown> =>
  Reflect.apply(server.next, server, [{ where }])
const gatherWhere = (server: Server, where: () => unknown): Promise<unknown> =>
  Reflect.apply(server.gather, server, [2, { where }])

describe("a filter", () => {
  it.each([
    ["null", "next(filter): the filter is null; use { endpoint, kind, session, turn, attempt, where, signal }"],
    ["[]", "the filter is []"],
    ['{"knd":"x"}', 'and no knd; did you mean "kind"?'],
    ['{"toString":1}', "and no toString"],
    ['{"endpoint":"chat"}', 'endpoint is "chat"; use one of "ChatCompletions", "Responses", "Messages"; did you mean'],
    ['{"kind":"Foreground"}', 'kind is "Foreground"; use one of "foreground", "auxiliary"; did you mean "foreground"?'],
    ['{"session":5}', "session is 5; use a text"],
    ['{"turn":-1}', "turn is -1; use a whole number from 0"],
    ['{"attempt":0}', "attempt is 0; use a whole number from 1"],
    ['{"where":5}', "where is 5; use a function that answers true or false at once"],
    ['{"signal":5}', "signal is 5; use the signal of an AbortController"]
  ])("that is %s is refused where it is given", async (filter, message) => {
    const { server, askNow } = startAskingWorld()
    const next = server.next(untyped(filter))
    const gathered = server.gather(2, untyped(filter))

    await expect(next).rejects.toThrow(InvalidOption)
    await expect(next).rejects.toThrow(message)
    await expect(gathered).rejects.toThrow(InvalidOption)
    expect(askNow().answer.isComplete).toBe(true)
    server.verify()
  })

  it("is what it was when it was given", async () => {
    const { server, askNow } = startAskingWorld()
    const filter: { endpoint: "ChatCompletions" | "Messages" } = { endpoint: "ChatCompletions" }
    const next = server.next(filter)
    filter.endpoint = "Messages"
    askNow()

    expect((await next).number).toBe(1)
  })

  it("may ask for a retry, and the server counts attempts from then on", async () => {
    const { server, askNow, clock } = startAskingWorld()
    const second = server.next({ attempt: 2 })
    server.enqueueResponse(path, ScriptedResponse.text(500, "no"))
    const tries = [askNow(), askNow()]
    const call = await second
    call.replyText("at last")
    clock.settle()

    expect([call.number, call.attempt]).toEqual([2, 2])
    expect(tries.map(({ answer }) => answer.status)).toEqual([500, 200])
    expect(server.requests().map(({ attempt }) => attempt)).toEqual([1, 2])
  })
})

describe("the condition of a filter", () => {
  it.each([
    [
      "a promise",
      Promise.resolve(false),
      "gave a promise; it must answer true or false at once, so it cannot be async"
    ],
    ["nothing", undefined, "the condition `where` gave undefined; it must answer true or false"],
    ["a text", "yes", 'gave "yes"']
  ])("that gives %s takes no request, and ends the wait", async (_, given, message) => {
    const { server, askNow } = startAskingWorld()
    const next = nextWhere(server, () => given)
    const gathered = gatherWhere(server, () => given)
    const { answer } = askNow()

    expect(answer.isComplete).toBe(true)
    await expect(next).rejects.toThrow(InvalidOption)
    await expect(next).rejects.toThrow(message)
    await expect(gathered).rejects.toThrow(InvalidOption)
    server.verify()
  })

  it("that gives a promise which rejects is no crash besides", async () => {
    const unhandled = await unhandledWhile(async () => {
      const { server, askNow } = startAskingWorld()
      void nextWhere(server, async () => {
        throw new Error("in an async condition")
      })
      void Reflect.apply(server.waitForRequest, server, [() => Promise.reject(new Error("in an async predicate"))])
      askNow()
    })

    expect(unhandled).toEqual([])
  })

  it("that throws takes nothing, and is told of by verify and by the wait", async () => {
    const { server, askNow, close } = startAskingWorld()
    const next = server.next({
      where: ({ body }) => {
        throw new TypeError(`cannot read ${JSON.stringify(body)}`)
      }
    })
    askNow("a")
    const one =
      /waits for 1 request more \(its condition `where`\); its condition `where` threw for one request: TypeError: cannot read "a"$/m
    expect(() => server.verify()).toThrow(VerificationFailed)
    expect(() => server.verify()).toThrow(one)
    askNow("b")
    await close()

    await expect(next).rejects.toThrow('`where` threw for 2 requests, first: TypeError: cannot read "a"')
  })

  it("that throws what it saw gives no key of the request away, and no more than a few words", async () => {
    const { server, clock, http } = startAskingWorld()
    const next = server.next({
      where(request) {
        throw new Error(
          `no ${request.header("authorization")}, ${request.header("x-api-key")}, ${"y".repeat(1_000_000)}`
        )
      }
    })
    const thrown = gatherWhere(server, () => {
      throw Object.create(null)
    })
    http.connect().request({
      method: "POST",
      target: path,
      headers: [
        ["content-type", "application/json"],
        ["authorization", "Bearer sk-live-0123456789"],
        ["x-api-key", "another-secret"]
      ],
      body: "{}"
    })
    clock.settle()
    const failure = messageOf(() => server.verify())
    const closing = server.close()
    clock.settle()
    await closing

    expect(failure).toContain("threw for one request: Error: no Bearer ***, ***, yyy")
    for (const message of [failure, String(await next.catch(String))]) {
      expect(message).not.toMatch(/0123456789|another-secret/)
      expect(message.length).toBeLessThan(2_000)
    }
    await expect(thrown).rejects.toThrow("threw for one request: {}")
  })
})

const messageOf = (act: () => void): string => {
  try {
    act()
  } catch (error) {
    if (error instanceof Error) return error.message
  }
  return ""
}

describe("a wait that is taken back", () => {
  it("takes nothing any more, rejects with the reason, and is no leftover", async () => {
    const { server, askNow } = startAskingWorld()
    const controller = new AbortController()
    const next = server.next({ signal: controller.signal })
    controller.abort(new Error("not needed"))

    expect(askNow().answer.isComplete).toBe(true)
    await expect(next).rejects.toThrow("not needed")
    server.verify()
  })

  it("lets what it had gathered go on as if nobody had held it", async () => {
    const { server, askNow, clock } = startAskingWorld()
    const controller = new AbortController()
    const gathered = server.gather(3, { signal: controller.signal })
    const stays = askNow()
    askNow().connection.disconnect()
    expect(stays.answer.status).toBe(null)
    controller.abort()
    clock.settle()

    expect(stays.answer.isComplete).toBe(true)
    await expect(gathered).rejects.toMatchObject({ name: "AbortError" })
    server.verify()
  })

  it("never begins where the signal was aborted before", async () => {
    const { server, askNow } = startAskingWorld()
    const next = server.next({ signal: AbortSignal.abort(new Error("before")) })

    expect(askNow().answer.isComplete).toBe(true)
    await expect(next).rejects.toThrow("before")
  })

  it("is no crash where nobody awaits it, and no harm to a call that came first", async () => {
    const controller = new AbortController()
    const unhandled = await unhandledWhile(async () => {
      const { server, askNow, clock } = startAskingWorld()
      void server.next({ signal: controller.signal, kind: "foreground" })
      const next = server.next({ signal: controller.signal })
      const { answer } = askNow()
      controller.abort()
      const call = await next
      call.reply(ScriptedResponse.text(210, "mine"))
      clock.settle()
      expect(answer.text()).toBe("mine")
    })

    expect(unhandled).toEqual([])
  })

  it("in the very step in which a request comes to it lets that request go on", async () => {
    const { server, askNow } = startAskingWorld()
    const controller = new AbortController()
    const next = server.next({ signal: controller.signal })
    const stop = server.watchTrace(({ type }) => {
      if (type === "decision") controller.abort()
    })
    const { answer } = askNow()
    stop()

    expect(answer.isComplete).toBe(true)
    await expect(next).rejects.toMatchObject({ name: "AbortError" })
    server.verify()
  })
})
