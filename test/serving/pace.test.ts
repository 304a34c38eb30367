import { describe, expect, it } from "vitest"
import { InferenceRequestMatcher, type Pacing, ScriptedResponse, SseEvent } from "../../src/index.ts"
import { startVirtualServer } from "../../src/sim.ts"

const path = "/v1/messages"
const four = ["a", "b", "c", "d"].map(SseEvent.data)

/** When each event of an answer left, in virtual milliseconds. */
const times = (pacing: Pacing, chunkDelayMs: number | null = null): ReadonlyArray<number> => {
  const { server, http, clock } = startVirtualServer()
  server.setChunkDelay(chunkDelayMs)
  server.enqueueResponse(path, { ...ScriptedResponse.sse(four), pacing })
  const headers = [["content-type", "application/json"]] as const
  const answer = http.connect().request({ method: "POST", target: path, headers, body: "{}" })
  clock.advance(14_000)
  return answer.pieces.map((piece) => piece.at)
}

describe("the pacing of one answer", () => {
  it("is a pause before each event", () => {
    expect(times({ delayMs: 20 })).toEqual([20, 40, 60, 80])
  })

  it("is a number of tokens a second, with another pause before the first", () => {
    expect(times({ tokensPerSecond: 100, firstTokenMs: 500 })).toEqual([500, 510, 520, 530])
  })

  it("goes before the delay of the server, which holds where it says nothing", () => {
    expect(times({ delayMs: 5 }, 100)).toEqual([5, 10, 15, 20])
    expect(times({ firstTokenMs: 1 }, 100)).toEqual([1, 101, 201, 301])
  })

  it("has jitter that follows from its seed", () => {
    const jittered = times({ delayMs: 50, jitterMs: 50, seed: 7 })

    expect(times({ delayMs: 50, jitterMs: 50, seed: 7 })).toEqual(jittered)
    expect(times({ delayMs: 50, jitterMs: 50, seed: 8 })).not.toEqual(jittered)
    const gaps = jittered.map((at, index) => at - (jittered[index - 1] ?? 0))
    expect(gaps.every((gap) => gap >= 0 && gap <= 100)).toBe(true)
    expect(new Set(gaps).size).toBe(4)
  })

  it("is one pause before the head of an answer that is no stream, on no other clock than that", () => {
    const { server, http, clock } = startVirtualServer()
    const answers = [
      ScriptedResponse.json(200, {}),
      ScriptedResponse.text(200, "x"),
      ScriptedResponse.bytes(200, new Uint8Array(1)),
      ScriptedResponse.empty(204)
    ]
    const pacings: ReadonlyArray<Pacing> = [
      { delayMs: 20 },
      { firstTokenMs: 30, delayMs: 5 },
      { jitterMs: 0 },
      { delayMs: 7 }
    ]
    server.setChunkDelay(1_000)
    answers.forEach((response, index) => {
      const script = { ...response, pacing: pacings[index] ?? {} }
      server.expectResponse(`answer ${index}`, InferenceRequestMatcher.auxiliary("Messages"), script)
    })
    const headers = [["content-type", "application/json"]] as const
    const asked = answers.map(() => http.connect().request({ method: "POST", target: path, headers, body: "{}" }))
    const headsAt = (ms: number) => {
      clock.advance(ms)
      return asked.map((answer) => answer.status !== null)
    }

    expect(headsAt(6)).toEqual([false, false, true, false])
    expect(headsAt(1)).toEqual([false, false, true, true])
    expect(headsAt(13)).toEqual([true, false, true, true])
    expect(headsAt(9)).toEqual([true, false, true, true])
    expect(headsAt(1)).toEqual([true, true, true, true])
  })

  it("is a pause before a connection that ends without an answer", () => {
    const { server, http, clock } = startVirtualServer()
    server.enqueueResponse(path, { ...ScriptedResponse.hangUp("rst"), pacing: { delayMs: 20 } })
    const headers = [["content-type", "application/json"]] as const
    const answer = http.connect().request({ method: "POST", target: path, headers, body: "{}" })

    clock.advance(19)
    expect(answer.ended).toBe(null)
    clock.advance(1)
    expect(answer.ended).toBe("rst")
  })

  it("is checked where it is given", () => {
    const { server } = startVirtualServer()
    const give = (pacing: Pacing) => () => server.enqueueResponse(path, { ...ScriptedResponse.sse(four), pacing })

    expect(give({ tokensPerSecond: 0 })).toThrow("pacing tokensPerSecond is 0; use a number from 0.001")
    expect(give({ delayMs: 1, tokensPerSecond: 1 })).toThrow("give one of them")
  })
})
