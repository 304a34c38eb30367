import { Writable } from "node:stream"
import {
  type Dispatcher,
  getGlobalDispatcher,
  request,
  setGlobalDispatcher,
  stream,
  fetch as undiciFetch
} from "undici"
import { describe, expect, test } from "vitest"
import type { MockInferenceServer } from "../../src/index.ts"
import { runFenced } from "../../src/sim/run-loop.ts"
import { simDispatcher } from "../../src/sim/transport-dispatcher.ts"
import { makeSimHttp, type SimHttp } from "../../src/sim/transport-http.ts"
import { kernelOf, startFaulty, startMock } from "./transport-world.ts"

const chat = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: '{"model":"m","messages":[{"role":"user","content":"hi there"}]}'
} as const

const simulated = async <A>(
  main: (parts: { dispatcher: Dispatcher; server: MockInferenceServer; origin: string; http: SimHttp }) => Promise<A>
): Promise<A> => {
  const kernel = kernelOf()
  const http = makeSimHttp(kernel)
  const outcome = await runFenced({
    kernel,
    async main() {
      const server = await startMock(kernel, http.port)
      return await main({ dispatcher: simDispatcher(http.client("c1")), server, origin: server.origin(), http })
    }
  })
  if (outcome.status === "failed") throw outcome.error
  return outcome.value
}

/** Notes what a handler of undici is told. */
const oldStyle = (seen: Array<string>): Dispatcher.DispatchHandler => ({
  onConnect: () => void seen.push("connect"),
  onHeaders(status) {
    seen.push(`headers ${status}`)
    return true
  },
  onData(chunk) {
    seen.push(`data ${chunk.byteLength > 0}`)
    return true
  },
  onComplete: () => void seen.push("complete"),
  onError: (error) => void seen.push(`error ${error.message}`)
})

const newStyle = (seen: Array<string>): Dispatcher.DispatchHandler => ({
  onRequestStart: () => void seen.push("start"),
  onResponseStart: (_, status, headers) => void seen.push(`headers ${status} ${headers["content-type"]}`),
  onResponseData: () => void seen.push("data"),
  onResponseEnd: () => void seen.push("end"),
  onResponseError: (_, error) => void seen.push(`error ${error.message}`)
})

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_000))

describe("The simulated dispatcher", () => {
  test("carries requests of undici: whole, streamed and by fetch", async () => {
    const texts = await simulated(async ({ dispatcher, origin }) => {
      const url = `${origin}/v1/chat/completions`
      const whole = await request(url, { dispatcher, ...chat })
      const pieces: Array<string> = []
      const sink = new Writable({
        write(chunk, _, done) {
          pieces.push(String(chunk))
          done()
        }
      })
      await stream(url, { dispatcher, ...chat }, () => sink)
      const fetched = await undiciFetch(url, { dispatcher, ...chat })
      return [await whole.body.text(), pieces.join(""), await fetched.text()]
    })

    expect(texts.every((text) => text.includes("Echo: hi there"))).toBe(true)
  })

  test("serves the fetch that is built into Node", async () => {
    const text = await simulated(async ({ dispatcher, origin }) => {
      const response: Response = await Reflect.apply(fetch, undefined, [`${origin}/v1/models`, { dispatcher }])
      return await response.text()
    })

    expect(text).toContain("test-model")
  })

  test("can be the dispatcher of everything", async () => {
    const before = getGlobalDispatcher()
    const status = await simulated(async ({ dispatcher, origin }) => {
      setGlobalDispatcher(dispatcher)
      const answer = await request(`${origin}/v1/models`)
      await answer.body.dump()
      return answer.statusCode
    }).finally(() => setGlobalDispatcher(before))

    expect(status).toBe(200)
  })

  test("tells handlers of either style", async () => {
    const seen = await simulated(async ({ dispatcher, origin }) => {
      const old: Array<string> = []
      const young: Array<string> = []
      dispatcher.dispatch({ origin, path: "/v1/models", method: "GET" }, oldStyle(old))
      dispatcher.dispatch({ origin, path: "/v1/models", method: "GET" }, newStyle(young))
      await settle()
      return { old, young }
    })

    expect(seen).toEqual({
      old: ["connect", "headers 200", "data true", "complete"],
      young: ["start", "headers 200 application/json", "data", "end"]
    })
  })

  test("gives up a request that is aborted, and one whose handler throws", async () => {
    const seen = await simulated(async ({ dispatcher, origin }) => {
      const aborted: Array<string> = []
      const thrown: Array<string> = []
      dispatcher.dispatch(
        { origin, path: "/v1/models", method: "GET" },
        { ...oldStyle(aborted), onConnect: (abort) => abort(new Error("enough")) }
      )
      dispatcher.dispatch(
        { origin, path: "/v1/models", method: "GET" },
        {
          ...oldStyle(thrown),
          onHeaders() {
            throw new Error("cannot read this")
          }
        }
      )
      await settle()
      return { aborted, thrown }
    })

    expect(seen).toEqual({ aborted: ["error enough"], thrown: ["connect", "error cannot read this"] })
  })

  test("closes when its requests are done, and then refuses", async () => {
    const seen = await simulated(async ({ dispatcher, origin }) => {
      const during: Array<string> = []
      const after: Array<string> = []
      dispatcher.dispatch({ origin, path: "/v1/models", method: "GET" }, oldStyle(during))
      const closing = dispatcher.close()
      dispatcher.dispatch({ origin, path: "/v1/models", method: "GET" }, newStyle(after))
      await closing
      return { during, after }
    })

    expect(seen).toEqual({
      during: ["connect", "headers 200", "data true", "complete"],
      after: ["start", "error The client is closed"]
    })
  })

  test("fails what is in progress when it is destroyed", async () => {
    const kernel = kernelOf()
    const http = makeSimHttp(kernel)
    const outcome = await runFenced({
      kernel,
      async main() {
        const server = await startFaulty(kernel, http.port, { sequence: ["stall"] })
        const dispatcher = simDispatcher(http.client("c1"))
        const answer = await request(`http://127.0.0.1:${server.port}/v1/chat/completions`, { dispatcher, ...chat })
        const body = answer.body.text().catch((error: unknown) => error)
        await dispatcher.destroy()
        return await body
      }
    })

    expect(outcome).toMatchObject({ value: { code: "UND_ERR_DESTROYED" } })
  })

  test("refuses upgrades", async () => {
    const error = await simulated(({ dispatcher, origin }) =>
      request(`${origin}/v1/models`, { dispatcher, upgrade: "websocket" }).catch((error: unknown) => error)
    )

    expect(error).toMatchObject({ code: "UND_ERR_NOT_SUPPORTED" })
  })
})
