import OpenAI from "openai"
import { Agent, type buildConnector, fetch as undiciFetch } from "undici"
import type { SimWorld } from "../../../src/campaign/sim-world.ts"
import type { FaultName } from "../../../src/faults.ts"
import type { SimOptions } from "../../../src/sim.ts"
import { outcomeOf } from "./outcome-of.ts"

const sequence: ReadonlyArray<FaultName> = [
  "success",
  "rate_limit",
  ...Array.from({ length: 20 }, () => "success" as const)
]

const faults = { rst: 1 / 400, cut: 1 / 800 }

/** Nothing is cut that was written at once. */
export const wholeSegments: SimOptions = { network: { faults } }

/** What is written arrives in segments of 1 to 16 bytes. */
export const tinySegments: SimOptions = { network: { faults: { rst: 1 / 4_000, cut: 1 / 8_000 }, segmentBytesMax: 16 } }

/** Two SDKs over undici, whose parser reads what `node:http` writes: bytes over simulated sockets, streams, retries. */
export const realParsers = async (world: SimWorld): Promise<ReadonlyArray<string>> => {
  const server = await world.startFaultServer({ sequence, over: "bytes" })
  const outcomes = await Promise.all(["ann", "bob"].map((name) => outcomeOf(askBytes(world, name, server.port))))
  for (const outcome of outcomes) world.note(outcome)
  return outcomes
}

const askBytes = async (world: SimWorld, name: string, port: number): Promise<string> => {
  const dispatcher = new Agent({ connect: world.connector<buildConnector.connector>(name) })
  const client = new OpenAI({
    apiKey: "any",
    baseURL: `http://127.0.0.1:${port}/v1`,
    fetch: (url, init) => Reflect.apply(undiciFetch, undefined, [url, { ...init, dispatcher }]),
    maxRetries: 3,
    timeout: 5_000,
    logLevel: "off"
  })
  try {
    let text = ""
    const stream = await client.chat.completions.create({
      model: "m",
      stream: true,
      messages: [{ role: "user", content: "hi there" }]
    })
    for await (const chunk of stream) text += chunk.choices[0]?.delta?.content ?? ""
    return text
  } finally {
    await dispatcher.destroy()
  }
}
