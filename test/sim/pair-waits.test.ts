import { once } from "node:events"
import { createInterface } from "node:readline"
import { expect, test } from "vitest"
import { type RunChoices, type SimWorld, type WorldOptions, withSim } from "../../src/sim.ts"

/** What a hang says of who waits for whom. */
const waiting = async (
  body: (sim: SimWorld) => Promise<unknown>,
  options: WorldOptions & RunChoices = {}
): Promise<unknown> =>
  withSim(options, body).then(
    () => "no hang",
    (error: { readonly waiting?: unknown }) => error.waiting
  )

// Each seen to fail while a hang at a pair named nobody.

test("a process and its parent that both wait for the other's line are named, with their streams", async () => {
  const waits = await waiting(async (sim) => {
    const { parent, child } = sim.stdioPair("agent", { peer: "editor" })
    createInterface({ input: child.stdin }).on("line", () => {})
    parent.stdin.write("hello\n")
    await once(createInterface({ input: parent.stdout }), "line")
  })

  expect(waits).toEqual([
    "the child of agent waits for the parent of agent (editor) to write to stdin, and " +
      "the parent of agent (editor) waits for the child of agent to write to stdout: they wait for each other"
  ])
})

test("a parent that alone waits is named, and with it all the streams at which it does", async () => {
  const waits = await waiting(async (sim) => {
    sim.stdioPair("agent")
    const { parent } = sim.stdioPair("agent")
    parent.stderr.resume()
    for await (const _ of parent.stdout) break
  })

  expect(waits).toEqual(["the parent of agent.2 (test) waits for the child of agent.2 to write to stdout or stderr"])
})

test("a writer whose reader does not read is named", async () => {
  const waits = await waiting(async (sim) => {
    const { child } = sim.stdioPair("agent", { windowBytes: 8 })
    await new Promise<void>((resolve) => child.stdout.write("more than the window holds", () => resolve()))
  })

  expect(waits).toEqual(["the child of agent waits for the parent of agent (test) to read stdout"])
})

test("the ends of a pair of sockets are named", async () => {
  const waits = await waiting(async (sim) => {
    const { near, far } = sim.socketPair("proxy", { peer: "leader" })
    far.on("data", () => far.write("pong"))
    near.write("ping")
    await once(near, "data")
    await once(near, "data")
  })

  expect(waits).toEqual([
    "the near end of proxy waits for the far end of proxy (leader) to write, and " +
      "the far end of proxy (leader) waits for the near end of proxy to write: they wait for each other"
  ])
})

test("a network that lost what was written is named in the place of who wrote it", async () => {
  const lossy = { seed: 1, network: { faults: { drop: 0.5 } } }
  const waits = await waiting(async (sim) => {
    const { near, far } = sim.socketPair("proxy")
    for (let left = 100; left > 0; left--) far.write("ping")
    near.resume()
    await once(near, "end")
  }, lossy)

  expect(waits).toEqual([
    "the near end of proxy waits for its network, which lost what the far end of proxy (test) wrote"
  ])
})

test("who does not wait is not named", async () => {
  const waits = await waiting(async (sim) => {
    const { child } = sim.stdioPair("agent")
    child.exit()
    sim.socketPair("proxy").near.destroy()
    await new Promise(() => {})
  })

  expect(waits).toEqual([])
})
