import { describe, expect, test } from "vitest"
import { MockInferenceServer, ScriptedResponse } from "../../src/index.ts"
import { withSim } from "../../src/sim.ts"

interface World {
  readonly server: MockInferenceServer
  readonly fetch: typeof fetch
}

const worlds: ReadonlyArray<readonly [name: string, inside: <A>(body: (world: World) => Promise<A>) => Promise<A>]> = [
  [
    "live",
    async (body) => {
      await using server = await MockInferenceServer.start()
      return await body({ server, fetch })
    }
  ],
  [
    "simulated",
    (body) => withSim({}, async (sim) => body({ server: await sim.startServer(), fetch: sim.fetch("ann") }))
  ]
]

const path = "/v1/chat/completions"
const headers = { "content-type": "application/json" }
const text = JSON.stringify({ model: "tide-1", messages: [{ role: "user", content: "ping" }] })

/** What a fetch gives when the server answers so, and how often it was asked. */
const asked =
  (statuses: ReadonlyArray<number>, init: () => RequestInit) =>
  async ({ server, fetch }: World) => {
    for (const status of statuses) server.enqueueResponse(path, ScriptedResponse.json(status, { status }))
    const response = await fetch(`${server.origin()}${path}`, { method: "POST", headers, ...init() })
    return { status: response.status, body: await response.json(), requests: server.requestCount() }
  }

/** A stream can be sent once. */
const streamed = (): RequestInit => ({ body: new Blob([text]).stream(), duplex: "half" })
const whole = (): RequestInit => ({ body: text })

// Seen to fail of the simulated fetch, which took the first answer.
describe.each(worlds)("A %s fetch that is told to have come to the wrong server", (_, inside) => {
  test("asks once more", async () => {
    expect(await inside(asked([421, 200], whole))).toEqual({ status: 200, body: { status: 200 }, requests: 2 })
  })

  test("gives the second such answer", async () => {
    expect(await inside(asked([421, 421, 200], whole))).toEqual({ status: 421, body: { status: 421 }, requests: 2 })
  })

  test("gives the first one where its body was a stream", async () => {
    expect(await inside(asked([421, 200], streamed))).toEqual({ status: 421, body: { status: 421 }, requests: 1 })
  })
})
