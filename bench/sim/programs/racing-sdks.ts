import Anthropic from "@anthropic-ai/sdk"
import OpenAI from "openai"
import type { SimWorld } from "../../../src/campaign/sim-world.ts"
import type { FaultName } from "../../../src/faults.ts"
import type { SimOptions } from "../../../src/sim.ts"
import { outcomeOf } from "./outcome-of.ts"

const messages = [{ role: "user" as const, content: "hi there" }]
const patience = { apiKey: "any", maxRetries: 4, timeout: 5_000, logLevel: "off" } as const

/** What the server does with the requests in the order in which they come: two refusals, then streams that take their time. */
const sequence: ReadonlyArray<FaultName> = [
  "rate_limit",
  "slow_success",
  "server_error",
  ...Array.from({ length: 20 }, () => "slow_success" as const)
]

/** A network that resets, cuts and loses connections. */
export const racingNetwork: SimOptions = { network: { faults: { rst: 1 / 20, cut: 1 / 30, drop: 1 / 40 } } }

/** Two clients, as their makers published them, race for the answers of one server and try again; each reads a stream. */
export const racingSdks = async (world: SimWorld): Promise<ReadonlyArray<string>> => {
  const server = await world.startFaultServer({ sequence })
  const origin = `http://127.0.0.1:${server.port}`
  const outcomes = await Promise.all([
    outcomeOf(openaiText(world.fetch("ann"), origin)),
    outcomeOf(anthropicText(world.fetch("bob"), origin))
  ])
  for (const outcome of outcomes) world.note(outcome)
  return outcomes
}

const openaiText = async (fetch: typeof globalThis.fetch, origin: string): Promise<string> => {
  const client = new OpenAI({ ...patience, baseURL: `${origin}/v1`, fetch })
  const stream = await client.chat.completions.create({ model: "m", stream: true, messages })
  let text = ""
  for await (const chunk of stream) text += chunk.choices[0]?.delta?.content ?? ""
  return text
}

const anthropicText = async (fetch: typeof globalThis.fetch, origin: string): Promise<string> => {
  const client = new Anthropic({ ...patience, baseURL: origin, fetch })
  const stream = await client.messages.create({ model: "m", max_tokens: 9, stream: true, messages })
  let text = ""
  for await (const event of stream) {
    if (event.type === "content_block_delta" && event.delta.type === "text_delta") text += event.delta.text
  }
  return text
}
