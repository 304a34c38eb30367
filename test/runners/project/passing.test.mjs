import { simTest } from "llm-understudy/sim"
import OpenAI from "openai"

simTest("an unmodified client tries again in virtual time", { runs: 20 }, async (sim) => {
  const server = await sim.startFaultServer({ sequence: ["server_error", "success"] })
  const openai = new OpenAI({ baseURL: server.url, fetch: sim.fetch("ann"), apiKey: "any", logLevel: "off" })
  const began = Date.now()
  const messages = [{ role: "user", content: "hello" }]
  const reply = await sim.as("ann", () => openai.chat.completions.create({ model: "tide-1", messages }))
  if (!reply.choices[0].message.content.includes("recovered")) throw new Error("no answer")
  if (Date.now() - began < 300) throw new Error(`a back-off of ${Date.now() - began} ms`)
  if (Date.now() - began !== Math.floor(sim.now())) throw new Error("two clocks")
})

simTest("years pass at once", { runs: 3 }, async () => {
  const began = new Date()
  await new Promise((resolve) => setTimeout(resolve, 20 * 24 * 3_600_000))
  if (Date.now() - began !== 20 * 24 * 3_600_000) throw new Error("another clock")
})
