import { createServer } from "node:http"
import { Agent, type buildConnector, request } from "undici"
import type { CorpusBug, CorpusProgram } from "./corpus-bug.ts"

/** The server closes connections that were idle for so long, as that of Node does. */
const idleMs = 5_000

/** How long a person or a tool takes between two turns, in milliseconds. */
const pausesMs = [50, 200, 1_000, 2_000, 5_000, 10_000, 60_000]

const turns = 4

/** How long connections are kept. */
interface Keeping {
  /** Whether the server says how long it keeps them. */
  readonly tellsIdle: boolean
  /** How long the client keeps them, in milliseconds, where it is not told. Default: that of undici, 4 s. */
  readonly keepAliveTimeout?: number
}

/** Somebody who posts, does something else, and posts again; all is well with the server and with the network. */
const conversation =
  ({ tellsIdle, keepAliveTimeout }: Keeping): CorpusProgram =>
  async (world) => {
    const origin = await world.serve(
      createServer((incoming, response) => {
        incoming.resume()
        incoming.on("end", () => {
          if (tellsIdle) response.setHeader("keep-alive", `timeout=${idleMs / 1_000}`)
          response.end("{}")
        })
      }),
      { idleMs }
    )
    await world.as("ann", async () => {
      const connect = world.connector<buildConnector.connector>("ann")
      const agent = new Agent({ connect, ...(keepAliveTimeout === undefined ? {} : { keepAliveTimeout }) })
      for (let turn = 1; turn <= turns; turn++) {
        const body = JSON.stringify({ turn })
        const { body: answer } = await request(`${origin}/`, { method: "POST", body, dispatcher: agent }).catch(
          (error: Error) => {
            throw new Error(`a request failed although nothing was wrong: ${error.message}`, { cause: error })
          }
        )
        await answer.text()
        await world.sleep(pausesMs[world.choice.draw(pausesMs.length, "pauses/next")] ?? 0)
      }
      await agent.close()
    })
  }

/** A client that keeps connections longer than its server does. */
export const keepAliveRace: CorpusBug = {
  row: 15,
  name: "keep-alive-race",
  title: "A request goes into a connection that the server is just closing for being idle",
  options: {},
  cases: [
    {
      client: "undici 7.30.2",
      program: conversation({ tellsIdle: false, keepAliveTimeout: 30_000 }),
      fails: /^a request failed although nothing was wrong/
    },
    { client: "undici 7.30.2, default", program: conversation({ tellsIdle: false }), fails: null },
    {
      client: "undici, told how long",
      program: conversation({ tellsIdle: true, keepAliveTimeout: 30_000 }),
      fails: null
    }
  ]
}
