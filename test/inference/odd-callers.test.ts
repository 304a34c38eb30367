import { describe, expect, it } from "vitest"
import {
  type ExpectationFailed,
  InferenceRequestMatcher,
  InvalidOption,
  MockInferenceServer,
  ScriptedResponse
} from "../../src/index.ts"
import { startVirtualServer } from "../../src/sim.ts"
import { readEvents } from "../../src/wire/sse-reader.ts"

const auxiliary = InferenceRequestMatcher.auxiliary("ChatCompletions")
const path = "/v1/chat/completions"

const start = () => {
  const world = startVirtualServer()
  const ask = (body: unknown = {}) => {
    const answer = world.http.connect().request({
      method: "POST",
      target: path,
      headers: [["content-type", "application/json"]],
      body: JSON.stringify(body)
    })
    world.clock.settle()
    return answer
  }
  return { ...world, ask }
}

describe("an answer", () => {
  it("may be cut into a hundred thousand pieces, and satisfies its expectation", () => {
    const { server, ask } = start()
    const response = { ...ScriptedResponse.text(200, "x".repeat(100_000)), splitBytes: 1 }
    const handle = server.expectResponse("long", auxiliary, response)

    expect(ask().text()).toHaveLength(100_000)
    expect(handle.isSatisfied()).toBe(true)
  })

  it("that echoes very many words has a bounded number of events, and every word", () => {
    const { ask } = start()
    const words = Array.from({ length: 50_000 }, (_, index) => `w${index}`).join(" ")

    const events = readEvents(ask({ stream: true, messages: [{ role: "user", content: words }] }).text())

    expect(events.length).toBeLessThan(4_200)
    const text = events
      .filter(({ data }) => data !== "[DONE]")
      .map(({ data }) => JSON.parse(data).choices[0]?.delta.content ?? "")
      .join("")
    expect(text).toBe(`Echo: ${words}`)
  })
})

describe("a watcher of a virtual answer", () => {
  it("that throws fails the test that moves the clock, and not the answer", () => {
    const { server, clock, http } = start()
    const handle = server.expectResponseBlocked("turn", auxiliary, ScriptedResponse.text(200, "x"))
    const answer = http.connect().request({
      method: "POST",
      target: path,
      headers: [["content-type", "application/json"]],
      body: "{}"
    })
    answer.watch(() => {
      throw new Error("an assertion of the test")
    })
    handle.release()

    expect(() => clock.settle()).toThrow("an assertion of the test")
    expect(answer.text()).toBe("x")
    expect(handle.isSatisfied()).toBe(true)
  })
})

describe("a group of expectations", () => {
  it("that was retired whole rejects its waits, as a single one does", async () => {
    const { server } = start()
    const group = server.expectResponse("g", auxiliary, ScriptedResponse.text(200, ""), { times: 2 })
    group.retire()

    for (const wait of [group.waitReceived(), group.waitBlocked(), group.waitSatisfied()]) {
      await expect(wait).rejects.toMatchObject({ _tag: "ExpectationFailed" } satisfies Partial<ExpectationFailed>)
    }
  })

  it.each([Number.NaN, -1, 1.5])("refuses to wait for %d claims", async (count) => {
    const { server } = start()
    const group = server.expectResponse("g", auxiliary, ScriptedResponse.text(200, ""), { times: 2 })

    await expect(group.waitClaims(count)).rejects.toThrow(InvalidOption)
  })
})

describe("waiting for requests", () => {
  it("sees those that are not retained, too", async () => {
    const { server, ask } = start()
    server.setKeepRequests(false)
    const wait = server.waitForRequest((request) => request.path === path)
    ask()

    expect((await wait).number).toBe(1)
    expect(server.requests()).toEqual([])
  })
})

describe("the trace stream", () => {
  it("serves readers that ask at once in their order", async () => {
    const { server, ask } = start()
    const stream = server.traceStream()
    const reads = [stream.next(), stream.next()]
    ask()

    const [first, second] = await Promise.all(reads)
    expect((second?.value?.index ?? 0) - (first?.value?.index ?? 0)).toBe(1)
  })
})

describe("preparing a server", () => {
  it("ends its waits when the start fails", async () => {
    await using taken = await MockInferenceServer.start()
    const port = Number(new URL(taken.origin()).port)
    let wait: Promise<void> = Promise.resolve()
    const starting = MockInferenceServer.start({
      port,
      prepare: (server) => {
        wait = server.expectResponse("x", auxiliary, ScriptedResponse.text(200, "")).waitReceived()
      }
    })

    await expect(starting).rejects.toMatchObject({ _tag: "StartFailed" })
    await expect(wait).rejects.toThrow("the server is closed")
  })

  it("cannot be asynchronous, and says so", async () => {
    const prepare = async () => {
      throw new Error("nobody waits for this")
    }

    await expect(MockInferenceServer.start({ prepare })).rejects.toThrow("it must do all it does at once")
  })
})

describe("settings", () => {
  it("are what JSON makes of them", () => {
    const { server, http, clock } = start()
    server.setSettings({ toJSON: () => ({ a: 1 }), left: "out" })
    const answer = http.connect().request({ method: "GET", target: "/v1/settings" })
    clock.settle()

    expect(answer.text()).toBe('{"a":1}')
    expect(() => server.setSettings(1n)).toThrow("settings are 1; use a JSON value")
  })
})

describe("time", () => {
  it.each([Number.NaN, -1])("does not pass by %d milliseconds", (ms) => {
    const { clock } = start()

    expect(() => clock.advance(ms)).toThrow("give milliseconds from 0")
    expect(clock.now()).toBe(0)
  })

  it("that two callers let pass at once is the sum, and never runs back", async () => {
    await using server = await MockInferenceServer.start({ clock: "manual" })

    await Promise.all([server.clock.advance(100), server.clock.advance(50)])

    expect(server.clock.now()).toBe(150)
  })
})
