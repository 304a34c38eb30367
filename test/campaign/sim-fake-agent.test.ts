import { createInterface } from "node:readline"
import { describe, expect, test } from "vitest"
import type { SimWorld } from "../../src/campaign/sim-world.ts"
import { type SimFakeAgentOptions, simFakeAgent, withSim } from "../../src/sim.ts"

/** Speaks to a fake agent in a run, and gives its lines. */
const speak = (sim: SimWorld, options?: SimFakeAgentOptions) => {
  const agent = simFakeAgent(sim, options)
  const lines: Array<string> = []
  createInterface({ input: agent.stdout }).on("line", (line) => lines.push(line))
  const ended = new Promise<unknown>((resolve) =>
    agent.once("close", (code: unknown, signal: unknown) => resolve([code, signal]))
  )
  return {
    agent,
    lines,
    ended,
    ask: (id: number, method: string, params: object = {}) =>
      void agent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
  }
}

const prompt = (sessionId: string) => ({ sessionId, prompt: [{ type: "text", text: "say hello" }] })

const idIn = (lines: ReadonlyArray<string>): string => JSON.parse(lines.at(-1) ?? "").result.sessionId

/** A session of a fake agent, and one prompt in it. */
const turn = async (sim: SimWorld, options?: SimFakeAgentOptions) => {
  const spoken = speak(sim, options)
  spoken.ask(1, "initialize", { protocolVersion: 1 })
  spoken.ask(2, "session/new", { cwd: "/", mcpServers: [] })
  await sim.sleep(1_000)
  spoken.ask(3, "session/prompt", prompt(idIn(spoken.lines)))
  await sim.sleep(1_000)
  return spoken
}

describe("a fake agent in a simulated world", () => {
  test("has a session, and ends with its input", async () => {
    const seen = await withSim({ seed: 3 }, async (sim) => {
      const { agent, lines, ended } = await turn(sim, { script: { chunks: 2 } })
      agent.stdin.end()
      return [lines.filter((line) => line.includes("agent_message_chunk")).length, lines.at(-1), await ended]
    })

    expect(seen).toEqual([2, expect.stringContaining('"stopReason":"end_turn"'), [0, null]])
  })

  test("asks a server of its world", async () => {
    const seen = await withSim({ seed: 3 }, async (sim) => {
      const server = await sim.startServer()
      const { lines } = await turn(sim, { script: { answer: { kind: "mock" } }, mockUrl: server.url() })
      return [lines.join("\n"), server.requests().length]
    })

    expect(seen).toEqual([expect.stringMatching(/"Echo:".*" say".*" hello"/s), 1])
  })

  test("is killed in the middle of a turn, and says nothing more", async () => {
    const rule = { method: "session/prompt", does: { kind: "delay", ms: 5_000 } }
    const seen = await withSim({ seed: 3 }, async (sim) => {
      const { agent, lines, ended } = await turn(sim, { script: { rules: [rule] } })
      agent.kill("SIGKILL")
      const end = await ended
      await sim.sleep(60_000)
      return [lines.length, end]
    })

    expect(seen).toEqual([2, [null, "SIGKILL"]])
  })

  test("crashes where its script says so", async () => {
    const rule = { method: "session/new", does: { kind: "crash", signal: "SIGSEGV" } }
    const seen = await withSim({}, async (sim) => {
      const { ask, ended } = speak(sim, { script: { rules: [rule] } })
      ask(1, "session/new", { cwd: "/", mcpServers: [] })
      return ended
    })

    expect(seen).toEqual([null, "SIGSEGV"])
  })

  test("knows its sessions again when it is started again", async () => {
    const sessions = new Map<string, string>()
    const seen = await withSim({ seed: 3 }, async (sim) => {
      const first = await turn(sim, { sessions })
      const sessionId = idIn(first.lines.filter((line) => line.includes("sessionId") && line.includes('"id":2')))
      first.agent.kill()
      await first.ended
      const second = speak(sim, { sessions })
      second.ask(1, "session/load", { sessionId, cwd: "/", mcpServers: [] })
      await sim.sleep(1_000)
      return second.lines.join("\n")
    })

    expect(seen).toContain("Echo: say hello")
  })

  test("is the agent of a recorded session", async () => {
    const recording = [
      { type: "recording", format: 1 },
      { type: "line", from: "client", ms: 0, text: '{"jsonrpc":"2.0","id":"a","method":"initialize"}' },
      { type: "line", from: "agent", ms: 1, text: '{"jsonrpc":"2.0","id":"a","result":{"protocolVersion":1}}' }
    ]
    const text = recording.map((event) => `${JSON.stringify(event)}\n`).join("")
    const seen = await withSim({}, async (sim) => {
      const { ask, lines } = speak(sim, { recording: text })
      ask(7, "initialize")
      await sim.sleep(1_000)
      return lines
    })

    expect(seen).toEqual(['{"jsonrpc":"2.0","id":7,"result":{"protocolVersion":1}}'])
  })

  test("is refused before anything is made when its script cannot be read", async () => {
    const refused = withSim({}, async (sim) => void simFakeAgent(sim, { script: { chunk: 2 } }))

    await expect(refused).rejects.toThrow(/chunk.*chunks/)
  })
})
