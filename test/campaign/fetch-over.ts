import OpenAI from "openai"
import { Agent, fetch as undiciFetch } from "undici"
import type { ServedOver, SimWorld } from "../../src/sim.ts"

/** The `fetch` of a client over messages, or of undici over bytes with one connection to each server. */
export const fetchOver = (sim: SimWorld, over: ServedOver["over"], client: string): typeof fetch => {
  if (over !== "bytes") return sim.fetch(client)
  const dispatcher = new Agent({ connect: sim.connector(client) })
  sim.onEnd(() => dispatcher.destroy())
  return (input, init) => Reflect.apply(undiciFetch, undefined, [input, { ...init, dispatcher }])
}

export const openaiOver = (sim: SimWorld, over: ServedOver["over"], baseURL: string, client = "ann"): OpenAI =>
  new OpenAI({
    apiKey: "any",
    baseURL,
    fetch: fetchOver(sim, over, client),
    maxRetries: 2,
    timeout: 10_000,
    logLevel: "off"
  })
