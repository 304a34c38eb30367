import { createInterface } from "node:readline"
import { simFakeAgent, simTest } from "llm-understudy/sim"
import { expect } from "vitest"

/** The client under test: asks one request at a time, and gives one up after a second. */
const makeClient = (agent: ReturnType<typeof simFakeAgent>) => {
  let ids = 0
  const answers = new Map<number, (answer: { result?: { stopReason?: string; sessionId?: string } }) => void>()
  createInterface({ input: agent.stdout }).on("line", (line) => {
    const message = JSON.parse(line)
    answers.get(message.id)?.(message)
  })
  return (method: string, params: object) =>
    new Promise<{ result?: { stopReason?: string; sessionId?: string } }>((resolve, reject) => {
      const id = ++ids
      setTimeout(() => reject(new Error(`${method} is late`)), 1_000)
      answers.set(id, resolve)
      agent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
    })
}

const late = { method: "session/prompt", call: 1, does: { kind: "delay", ms: 1_500 } }
const calm = { network: { latenciesMs: [0, 3], segmentBytesMax: 7 } }

simTest("a prompt that is late is asked again, in the same session", { runs: 50, ...calm }, async (sim) => {
  const ask = makeClient(simFakeAgent(sim, { script: { rules: [late] } }))
  await ask("initialize", { protocolVersion: 1 })
  const { result } = await ask("session/new", { cwd: "/", mcpServers: [] })
  const params = { sessionId: result?.sessionId, prompt: [{ type: "text", text: "hello" }] }

  await expect(ask("session/prompt", params)).rejects.toThrow("session/prompt is late")
  const again = await ask("session/prompt", params)

  expect(again.result?.stopReason).toBe("end_turn")
})
