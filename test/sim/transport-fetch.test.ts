import { describe, expect, test } from "vitest"
import type { FaultServerOptions } from "../../src/faults.ts"
import { ScriptedResponse } from "../../src/index.ts"
import { makeSimKernel } from "../../src/kernel/sim-kernel.ts"
import { makeLiveHttp } from "../../src/live/http-server.ts"
import type { ListenAddress } from "../../src/ports/http-port.ts"
import { makeSimHttp, type SimHttp, type SimHttpOptions } from "../../src/sim/transport-http.ts"
import { chatPost as post, runMain, simulated, startFaulty, startMock } from "./transport-world.ts"

describe("The simulated fetch", () => {
  const asked = <A>(main: (fetch: typeof globalThis.fetch, origin: string, http: SimHttp) => Promise<A>) =>
    simulated(async (http, kernel) => main(http.fetch("c1"), (await startMock(kernel, http.port)).origin(), http))
  const faulty = <A>(
    options: FaultServerOptions,
    main: (fetch: typeof globalThis.fetch, url: string, http: SimHttp) => Promise<A>,
    net: SimHttpOptions = {}
  ) =>
    simulated(async (http, kernel) => {
      const server = await startFaulty(kernel, http.port, options)
      return await main(http.fetch("c1"), `http://127.0.0.1:${server.port}/v1/chat/completions`, http)
    }, net)

  test("shows a server the headers that the fetch of Node sends", async () => {
    const heads: Array<unknown> = []
    const app = {
      connected: () => ({
        open(
          head: { readonly headers: ReadonlyArray<readonly [string, string]> },
          sink: { head(status: number, headers: ReadonlyArray<string>): void; finish(how: "end"): void }
        ) {
          heads.push(head.headers.filter(([name]) => name !== "host").sort())
          sink.head(200, ["content-length", "0"])
          sink.finish("end")
          return { bodyBytesMax: 1_000, received: () => {}, tooLarge: () => {}, written: () => {}, gone: () => {} }
        },
        closed: () => {}
      })
    }
    const asks = async (fetch: typeof globalThis.fetch, url: string): Promise<void> => {
      await fetch(url)
      await fetch(new URL(url), post)
      await fetch(new Request(url, { method: "PUT", body: new URLSearchParams({ a: "b" }) }))
      await fetch(url, { method: "POST" })
      await fetch(url, { method: "POST", body: "text", headers: { Accept: "text/event-stream", "User-Agent": "me" } })
      await fetch(url, { method: "DELETE" })
      await fetch(url, { method: "POST", body: new Blob(["x"], { type: "image/png" }) })
    }
    const bound = await new Promise<{ readonly port: number; close(): void }>((resolve, reject) => {
      const listening = makeLiveHttp().listen({ host: "127.0.0.1", port: 0 }, app, {
        bound: ({ port }) =>
          resolve({
            port,
            close: () => {
              listening.unbind()
              listening.closeIdle()
            }
          }),
        failed: reject,
        lost: () => {}
      })
    })
    await asks(fetch, `http://127.0.0.1:${bound.port}/x`)
    bound.close()
    const real = heads.splice(0)
    await simulated(async (http) => {
      const { port } = await new Promise<ListenAddress>((resolve, reject) =>
        http.port.listen({ host: "127.0.0.1", port: 0 }, app, { bound: resolve, failed: reject, lost: () => {} })
      )
      await asks(http.fetch("c1"), `http://127.0.0.1:${port}/x`)
    })

    expect(heads).toEqual(real)
  })

  test("gives the classes of Node, with an address and a type", async () => {
    const { value } = await asked(async (fetch, origin) => {
      const response = await fetch(`${origin}/v1/models?x=1`)
      const clone = response.clone()
      return { response, clone, same: (await response.text()) === (await clone.text()) }
    })

    expect(value.response).toBeInstanceOf(Response)
    expect(value).toMatchObject({ same: true, response: { ok: true, type: "basic", redirected: false } })
    expect(value.clone.url).toMatch(/\/v1\/models\?x=1$/)
  })

  test("fails with the cause that undici gives when nothing listens or a name is unknown", async () => {
    const { value } = await asked((fetch) =>
      Promise.all(
        ["http://127.0.0.1:8009/", "http://nowhere.example/"].map((url) => fetch(url).catch((error: unknown) => error))
      )
    )

    expect(value).toMatchObject([
      { name: "TypeError", message: "fetch failed", cause: { code: "ECONNREFUSED", syscall: "connect", port: 8009 } },
      { name: "TypeError", message: "fetch failed", cause: { code: "ENOTFOUND", hostname: "nowhere.example" } }
    ])
  })

  test("fails as the fetch of Node does on arguments that are wrong", async () => {
    const wrong: ReadonlyArray<Parameters<typeof globalThis.fetch>> = [
      ["/relative"],
      ["http://user:secret@127.0.0.1/"],
      ["http://127.0.0.1/", { method: "GET", body: "x" }],
      ["http://127.0.0.1/", { method: "TRACE" }]
    ]
    const messageOf = (error: Error): string => `${error.name}: ${error.message}`
    const real = await Promise.all(wrong.map((args) => fetch(...args).then(String, messageOf)))
    const { value } = await asked((sim) => Promise.all(wrong.map((args) => sim(...args).then(String, messageOf))))

    expect(value).toEqual(real)
  })

  test("rejects with the reason of an abort, before, during and after the head", async () => {
    const reason = new Error("enough")
    const { value } = await faulty({ sequence: ["no_response", "stall"] }, async (fetch, url) => {
      const early = await fetch(url, { ...post, signal: AbortSignal.abort(reason) }).catch((error: unknown) => error)
      const during = new AbortController()
      setTimeout(() => during.abort(reason), 100)
      const waiting = await fetch(url, { ...post, signal: during.signal }).catch((error: unknown) => error)
      const late = new AbortController()
      const response = await fetch(url, { ...post, signal: late.signal })
      setTimeout(() => late.abort(reason), 100)
      return [early, waiting, await response.text().catch((error: unknown) => error)]
    })

    expect(value).toEqual([reason, reason, reason])
  })

  test("follows redirects, refuses them, or shows them", async () => {
    const { value } = await faulty({ sequence: ["redirect", "redirect", "redirect"] }, async (fetch, url) => {
      const followed = await fetch(url, post)
      const shown = await fetch(url, { ...post, redirect: "manual" })
      const refused = await fetch(url, { ...post, redirect: "error" }).catch((error: unknown) => error)
      return {
        followed: [followed.status, followed.redirected, new URL(followed.url).pathname],
        shown: shown.status,
        refused
      }
    })

    expect(value).toMatchObject({
      followed: [404, true, "/v1/elsewhere"],
      shown: 307,
      refused: { message: "fetch failed", cause: { message: "unexpected redirect" } }
    })
  })

  test("gives up a connect that is never answered", async () => {
    const kernel = makeSimKernel({ choice: { draw: (n, label) => (label === "net/c1/lostConnect" ? n - 1 : 0) } })
    const http = makeSimHttp(kernel, { faults: { lostConnect: 0.1 } })
    const error: unknown = await runMain(kernel, () =>
      http
        .fetch("c1")("http://127.0.0.1:8001/")
        .catch((error) => error)
    )

    expect(kernel.now()).toBe(10_000)
    expect(error).toMatchObject({ message: "fetch failed", cause: { code: "UND_ERR_CONNECT_TIMEOUT" } })
  })

  test("waits for heads and bodies as long as undici does", async () => {
    const { value } = await faulty({ sequence: ["no_response", "stall"] }, async (fetch, url) => {
      const head: unknown = await fetch(url, post).catch((error) => error)
      const response = await fetch(url, post)
      return [head, await response.text().catch((error: unknown) => error)]
    })
    expect(value).toMatchObject([
      { message: "fetch failed", cause: { code: "UND_ERR_HEADERS_TIMEOUT" } },
      { message: "terminated", cause: { code: "UND_ERR_BODY_TIMEOUT" } }
    ])
  })

  test("keeps a connection for the next request, and closes it when nobody uses it", async () => {
    const { value } = await asked(async (fetch, origin, http) => {
      for (let ask = 0; ask < 3; ask++) await (await fetch(`${origin}/v1/models`)).text()
      const used = http.client("c1").connections()
      await new Promise((resolve) => setTimeout(resolve, 10_000))
      return { used, left: http.client("c1").connections() }
    })

    expect(value).toEqual({ used: 1, left: 0 })
  })

  test("uploads a stream", async () => {
    const { value } = await asked(async (fetch, origin) => {
      const pieces = ['{"model":"m",', '"messages":[{"role":"user","content":"in parts"}]}']
      const body = new ReadableStream({
        pull(controller) {
          const piece = pieces.shift()
          if (piece === undefined) controller.close()
          else controller.enqueue(new TextEncoder().encode(piece))
        }
      })
      const init = { method: "POST", body, duplex: "half", headers: { "content-type": "application/json" } } as const
      return await (await fetch(`${origin}/v1/chat/completions`, init)).text()
    })

    expect(value).toContain("Echo: in parts")
  })

  test("lets a server feel that nobody reads, and goes on when somebody does", async () => {
    const piece = "x".repeat(20_000)
    const { value } = await simulated(async (http, kernel) => {
      const server = await startMock(kernel, http.port)
      const pieces = Array.from({ length: 30 }, () => ({ bytes: piece, events: 0 }))
      server.enqueueResponse("/v1/chat/completions", ScriptedResponse.pieces(200, pieces))
      const arrived = (): number =>
        kernel.steps().filter(({ op }) => op.label === "net/data" && op.actor === "c1").length
      const response = await http.fetch("c1")(`${server.origin()}/v1/chat/completions`, post)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      const unread = arrived()
      const { length } = await response.text()
      return { unread, all: arrived(), length }
    })

    expect(value.length).toBe(600_000)
    expect(value.unread).toBeLessThan(value.all / 2)
  })
})
