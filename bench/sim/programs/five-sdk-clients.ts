import OpenAI from "openai"
import type { SimProgram } from "../../../src/campaign/campaign.ts"
import { ScriptedResponse } from "../../../src/index.ts"
import type { SimOptions } from "../../../src/sim.ts"

const clients = ["ann", "bob", "cem", "dora", "eve"] as const
const attemptsMax = 10

/** A network that sometimes resets, and is sometimes slower than clients wait. */
export const fiveClientsNetwork: SimOptions = {
  network: { faults: { rst: 1 / 20 }, latenciesMs: [5, 50, 500, 2_500, 6_000] }
}

/** Five unmodified clients ask once each and try again what is late or lost; no question may be carried out twice. */
export const fiveSdkClients: SimProgram = async (world) => {
  const server = await world.startServer()
  for (let count = 0; count < clients.length * attemptsMax; count++) {
    server.enqueueResponse("/v1/chat/completions", ScriptedResponse.fault("success"))
  }
  await Promise.all(
    clients.map((name) =>
      world.as(name, async () => {
        const client = new OpenAI({
          apiKey: "any",
          baseURL: server.url(),
          fetch: world.fetch(name),
          maxRetries: 2,
          timeout: 3_000,
          logLevel: "off"
        })
        await client.chat.completions
          .create({ model: "m", messages: [{ role: "user", content: name }] })
          .catch(() => {})
      })
    )
  )
  const asked = server.requestBodies().map((body) => JSON.stringify(body))
  if (new Set(asked).size < asked.length) throw new Error("a question was carried out twice")
}
