import { Agent, request } from "undici"
import { expect, test } from "vitest"
import { AwaitMissing, type SimWorld, withSim } from "../../src/sim.ts"
import { posted } from "./judged-worlds.ts"

const ask = async (sim: SimWorld, url: string): Promise<unknown> =>
  (await sim.fetch("ann")(`${url}/chat/completions`, posted)).json()

const refused = "nobody caught TypeError: fetch failed (connect ECONNREFUSED 127.0.0.1:8001)"

// Each seen to fail with the bare error, such as ECONNREFUSED of a server that had been closed meanwhile.
const forgotten: ReadonlyArray<readonly [what: string, said: string, body: (sim: SimWorld) => Promise<void>]> = [
  [
    "sim.call",
    `${refused}\n  attempt 1 of ann/call 1 (POST /v1/chat/completions) was still going on`,
    async (sim) => {
      const server = await sim.startServer()
      void sim.call("ann", () => ask(sim, server.url()))
    }
  ],
  [
    "sim.call that has no request under way",
    "nobody caught Error: not what was expected\n  ann/call 1 was still going on",
    async (sim) => {
      void sim.call("ann", async () => {
        await sim.sleep(1_000)
        throw new Error("not what was expected\nand more")
      })
    }
  ],
  [
    "sim.fetch",
    `${refused}\n  attempt 1 of ann/request 1 (POST /v1/chat/completions) was still going on`,
    async (sim) => {
      const server = await sim.startServer()
      void ask(sim, server.url())
    }
  ],
  [
    "a request over bytes",
    "nobody caught Error: connect ECONNREFUSED 127.0.0.1:8001\n  a socket of ann waits for its network since 0 ms",
    async (sim) => {
      const server = await sim.startServer({ over: "bytes" })
      const dispatcher = new Agent({ connect: sim.connector("ann") })
      void request(`${server.url()}/chat/completions`, { ...posted, method: "POST", dispatcher })
    }
  ],
  [
    "something that the world does not know",
    "nobody caught Error: late",
    async (sim) => {
      void sim.sleep(5).then(() => Promise.reject(new Error("late")))
    }
  ]
]

test.each(forgotten)("a forgotten await on %s is told as one", async (_, said, body) => {
  const error = await withSim({}, body).catch((thrown: unknown) => thrown)

  expect(error).toBeInstanceOf(AwaitMissing)
  expect(error).toMatchObject({ cause: expect.any(Error) })
  expect(String(error)).toContain(`an \`await\` is probably missing: when the test body had ended, ${said}`)
})

test("what a body threw, or left before it ended, is told as it is", async () => {
  const own = withSim({}, async (sim) => {
    void sim.sleep(5).then(() => Promise.reject(new Error("late")))
    throw new Error("own")
  })
  await expect(own).rejects.toThrow(/^own$/)

  const early = withSim({}, async (sim) => {
    void sim.sleep(5).then(() => Promise.reject(new Error("early")))
    await sim.sleep(10)
  })
  await expect(early).rejects.toThrow(/^early$/)
})

test("what is still going on and goes well is no failure", async () => {
  const value = await withSim({}, async (sim) => {
    void sim.call("ann", () => sim.sleep(1_000))
    return "done"
  })
  expect(value).toBe("done")
})
