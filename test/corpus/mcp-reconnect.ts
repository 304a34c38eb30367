import { createServer } from "node:http"
import { Agent, type buildConnector, fetch as undiciFetch } from "undici"
import type { JudgeOptions } from "../../src/sim.ts"
import type { CorpusBug, CorpusProgram } from "./corpus-bug.ts"
import { makeMcpServer, type ToolTime } from "./mcp-server.ts"

/** What is used of `@modelcontextprotocol/sdk`, which is no dependency of this package. */
export interface McpSdk {
  readonly Client: new (
    info: object
  ) => {
    connect(transport: unknown): Promise<void>
    callTool(call: { readonly name: string }): Promise<unknown>
    close(): Promise<void>
  }
  readonly StreamableHTTPClientTransport: new (url: URL, options: { readonly fetch: unknown }) => object
}

/** How long a tool takes, and what becomes of its stream. */
const toolTimes: ReadonlyArray<ToolTime> = [
  { ms: 5, isKept: true },
  { ms: 2_000, isKept: true },
  { ms: 0, isKept: false }
]

/** How long the agent thinks between two calls, and before it closes, in milliseconds. */
const pausesMs = [10, 500, 1_000, 3_000, 20_000]

const calls = 2

/** How long the world is watched after the client was closed. */
const afterCloseMs = 120_000

/** What is judged here: that nobody asks for what has come, or that nobody asks for anything behind a close. */
type Judged = "answers" | "close"

/** An agent that calls tools of a server, one after the other, and says good-bye. */
const agent =
  ({ Client, StreamableHTTPClientTransport }: McpSdk, judged: ReadonlyArray<Judged>): CorpusProgram =>
  async (world) => {
    const mcp = makeMcpServer(
      () => toolTimes[world.choice.draw(toolTimes.length, "tools/next")] ?? { ms: 0, isKept: true }
    )
    const origin = await world.serve(createServer(mcp.listener))
    const dispatcher = new Agent({ connect: world.connector<buildConnector.connector>("agent") })
    world.onEnd(() => dispatcher.destroy())
    const pause = () => world.sleep(pausesMs[world.choice.draw(pausesMs.length, "pauses/next")] ?? 0)
    let isClosed = false
    let breach: string | null = null

    const fetch: typeof undiciFetch = (input, init) => {
      const headers: unknown = init?.headers
      const last = headers instanceof Headers ? headers.get("last-event-id") : null
      if (judged.includes("close") && isClosed) breach ??= "a request after the client was closed"
      if (judged.includes("answers") && last !== null && mcp.isAnswer(last))
        breach ??= "a stream is asked for again although its answer has come"
      return undiciFetch(input, { ...init, dispatcher })
    }

    await world.as("agent", async () => {
      const client = new Client({ name: "corpus", version: "1.0.0" })
      await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { fetch }))
      for (let count = 0; count < calls; count++) {
        await client.callTool({ name: "work" })
        await pause()
      }
      await client.close()
      isClosed = true
    })
    if (judged.length > 0) await world.sleep(afterCloseMs)
    if (breach !== null) throw new Error(breach)
  }

const asksAgain = /^a stream is asked for again although its answer has come/
const asksLate = /^a request after the client was closed/
const keepsTimer = /^resources: a timer is left open/

/** A client that was closed has no timers: what the program says of it ends with the close. */
const judge: JudgeOptions = { resources: ["timer"] }

/** Tools that take their time, on a server whose streams can be resumed. */
export const mcpReconnect = (sdks: { readonly buggy: McpSdk; readonly fixed: McpSdk }): CorpusBug => ({
  row: 10,
  name: "mcp-reconnect",
  title: "A client of MCP reconnects after the answer has come, and after it was closed",
  options: {},
  cases: [
    { client: "mcp 1.23.0, after the answer", program: agent(sdks.buggy, ["answers"]), fails: asksAgain },
    { client: "mcp 1.23.0, after close", program: agent(sdks.buggy, ["close"]), fails: asksLate },
    { client: "mcp 1.23.0, its timers", program: agent(sdks.buggy, []), judge, fails: keepsTimer },
    { client: "mcp 1.32.2", program: agent(sdks.fixed, ["answers", "close"]), fails: null },
    { client: "mcp 1.32.2, its timers", program: agent(sdks.fixed, []), judge, fails: null }
  ]
})
