import { describe, expect, it } from "vitest"
import { faultScenarios } from "./fault-scenarios.ts"
import { inferenceScenarios } from "./inference-scenarios.ts"
import { sdkScenarios } from "./sdk-scenarios.ts"
import type { Scenario } from "./stage.ts"
import { type Plant, stages } from "./stages.ts"
import { differences } from "./telling.ts"

const scenarios: ReadonlyArray<readonly [name: string, scenario: Scenario]> = Object.entries({
  ...inferenceScenarios,
  ...faultScenarios,
  ...sdkScenarios
})

// Seen to fail for messages when their `fetch` sent `connection: keep-alive` beside the `connection` of the request
// (`transport-fetch-request.ts`), and, planted, when a reset arrived as an end (`transport-http-port.ts`, finished).
describe("One scenario on sockets, and simulated by messages and by bytes,", () => {
  it.each(scenarios)("tells the same up to times: %s", async (_, scenario) => {
    const live = await stages.live(scenario)
    const messages = await stages.messages(scenario)
    const bytes = await stages.bytes(scenario)

    expect({ messages: differences(live, messages), bytes: differences(live, bytes) }).toEqual({
      messages: [],
      bytes: []
    })
    expect(live.servers.flatMap(({ trace }) => trace)).not.toEqual([])
    expect(Object.values(live.seen).flat().length).toBeGreaterThan(0)
  })
})

const plants: ReadonlyArray<readonly [name: string, scenario: string, plant: Plant, found: RegExp]> = [
  [
    "a client that asks twice",
    "strict misses",
    (world) => ({
      ...world,
      fetch: (client) => {
        const fetch = world.fetch(client)
        return async (input, init) => {
          await (await fetch(input, init)).arrayBuffer()
          return await fetch(input, init)
        }
      }
    }),
    /^trace 1: - .*"request":2/
  ],
  [
    "a body that lacks its last byte",
    "plain and streamed echoes of three APIs",
    (world) => ({
      ...world,
      fetch: (client) => {
        const fetch = world.fetch(client)
        return async (input, init) => {
          const answer = await fetch(input, init)
          const bytes = await answer.arrayBuffer()
          return new Response(bytes.slice(0, -1), { status: answer.status, headers: answer.headers })
        }
      }
    }),
    /^ann: - .*"ended":"whole"/
  ],
  [
    "a server of another profile",
    "scripted answers of every kind",
    (world) => ({ ...world, startServer: (options) => world.startServer({ ...options, profile: "compact" }) }),
    /^ann: - .*"headers"/
  ],
  [
    "a fault server that drops connections in another way",
    "streams that are dropped by RST",
    (world) => ({ ...world, startFaultServer: (options) => world.startFaultServer({ ...options, resetMode: "fin" }) }),
    /^ann: - .*ECONNRESET/
  ],
  [
    "a connection for each request",
    "a connection that is used again",
    (world) => ({
      ...world,
      fetch: (client) => {
        const fetch = world.fetch(client)
        return (input, init) => fetch(input, { ...init, headers: { ...Object(init?.headers), connection: "close" } })
      }
    }),
    /^connects: - 1/
  ]
]

describe("A planted difference", () => {
  it.each(plants)("is found: %s", async (_, name, plant, found) => {
    const scenario = new Map(scenarios).get(name)
    if (scenario === undefined) throw new Error(`there is no scenario "${name}"`)

    const lines = differences(await stages.bytes(scenario), await stages.bytes(scenario, plant))

    expect(lines).toContainEqual(expect.stringMatching(found))
  })
})
