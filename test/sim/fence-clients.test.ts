import Anthropic from "@anthropic-ai/sdk"
import OpenAI from "openai"
import { describe, expect, it } from "vitest"
import { runOnce, type World } from "./fence-world.ts"

/** A network of one function: late answers, some of them refusals, streamed in pieces. */
const stubFetch =
  ({ kernel, log }: World, frames: ReadonlyArray<string>) =>
  async (_url: unknown, init?: RequestInit): Promise<Response> => {
    const draw = (n: number, label: string): number => kernel.choice.draw(n, `net/${label}`)
    const later = (ms: number, happens: () => void): void =>
      void kernel.plan(ms, { kind: "deliver", label: "net", actor: "net" }, happens)
    log("request", new Headers(init?.headers).get("x-stainless-retry-count"))
    await new Promise<void>((resolve) => later(1 + draw(50, "latency"), resolve))
    const isRefused = draw(3, "refused") === 2
    log("head", isRefused)
    if (isRefused) return new Response('{"error":{"message":"busy"}}', { status: 503 })
    const body = new ReadableStream({
      start(controller) {
        const next = (at: number): void => {
          const frame = frames[at]
          if (frame === undefined) controller.close()
          else controller.enqueue(new TextEncoder().encode(frame))
          if (frame !== undefined) later(1 + draw(9, "gap"), () => next(at + 1))
        }
        next(0)
      }
    })
    return new Response(body, { status: 200, headers: { "content-type": "text/event-stream" } })
  }

const chatFrames = [
  ...["Hel", "lo"].map(
    (content) =>
      `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`
  ),
  "data: [DONE]\n\n"
]

const messageFrames = [
  [
    "message_start",
    {
      message: {
        id: "m",
        type: "message",
        role: "assistant",
        content: [],
        model: "m",
        stop_reason: null,
        usage: { input_tokens: 1, output_tokens: 1 }
      }
    }
  ],
  ["content_block_start", { index: 0, content_block: { type: "text", text: "" } }],
  ["content_block_delta", { index: 0, delta: { type: "text_delta", text: "Hello" } }],
  ["content_block_stop", { index: 0 }],
  ["message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 3 } }],
  ["message_stop", {}]
].map(([type, rest]) => `event: ${String(type)}\ndata: ${JSON.stringify({ type, ...Object(rest) })}\n\n`)

const askOpenai = async (world: World): Promise<string> => {
  const client = new OpenAI({
    apiKey: "k",
    baseURL: "http://sim.test",
    maxRetries: 3,
    timeout: 5_000,
    fetch: stubFetch(world, chatFrames)
  })
  const stream = await client.chat.completions.create({
    model: "m",
    messages: [{ role: "user", content: "hi" }],
    stream: true
  })
  let text = ""
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? ""
    world.log("openai", text)
  }
  return text
}

const askAnthropic = async (world: World): Promise<string> => {
  const client = new Anthropic({
    apiKey: "k",
    baseURL: "http://sim.test",
    maxRetries: 3,
    timeout: 5_000,
    fetch: stubFetch(world, messageFrames)
  })
  const message = await client.messages
    .stream({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }] })
    .on("text", (text) => world.log("anthropic", text))
    .finalMessage()
  return message.content.map((block) => (block.type === "text" ? block.text : "")).join("")
}

const scenario = async (world: World): Promise<void> => {
  const answers = await Promise.allSettled([askOpenai(world), askAnthropic(world)])
  for (const answer of answers) world.log(answer.status === "fulfilled" ? answer.value : answer.reason)
}

const run = async (seed: number): Promise<{ readonly hash: string; readonly lines: ReadonlyArray<string> }> => {
  const outcome = await runOnce(seed, scenario)
  if (outcome.status === "failed") throw outcome.error
  return { hash: outcome.stats.hash, lines: outcome.lines }
}

describe("Two official SDKs, unmodified, in one run", () => {
  it("do the same for one seed, 20 times, and something else for another", async () => {
    await run(0)
    const hashes = new Set<string>()
    for (let at = 0; at < 20; at++) hashes.add((await run(7)).hash)
    expect(hashes.size).toBe(1)

    const others = new Set<string>()
    for (let seed = 0; seed < 50; seed++) others.add((await run(seed)).hash)
    expect(others.size).toBe(50)
  })

  it("answer, and retry what is refused after a while", async () => {
    const all: Array<string> = []
    for (let seed = 0; seed < 20; seed++) all.push(...(await run(seed)).lines)
    expect(all.filter((line) => / Hello$/.test(line)).length).toBeGreaterThan(20)
    expect(all.some((line) => / request 1$/.test(line) && Number.parseFloat(line) > 300)).toBe(true)
  })
})
