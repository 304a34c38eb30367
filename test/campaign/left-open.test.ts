import { createServer, type Server } from "node:http"
import { setTimeout as wait } from "node:timers/promises"
import { Effect } from "effect"
import { Agent, type buildConnector, fetch as undiciFetch } from "undici"
import { describe, expect, it } from "vitest"
import { simRuntime } from "../../src/effect.ts"
import { explore, type HeldKind, type SimWorld } from "../../src/sim.ts"
import { judged } from "./judged-worlds.ts"

const greeter = (): Server => createServer((_, response) => response.end("hello"))
const agentOf = (sim: SimWorld): Agent => new Agent({ connect: sim.connector<buildConnector.connector>("ann") })

/** A leak of each kind, in the name of ann where it can be, and the same program without it. */
interface Plant {
  readonly kind: HeldKind
  readonly name: string
  readonly left: string
  /** **Takes** whether the leak is left out */
  readonly program: (sim: SimWorld, isClean: boolean) => Promise<unknown>
}

const plants: ReadonlyArray<Plant> = [
  {
    kind: "timer",
    name: "a timer that nobody cleared",
    left: "timer 1, of 60000 ms (ann, since 5 ms)",
    program: (sim, isClean) =>
      sim.call("ann", async () => {
        await sim.sleep(5)
        const timer = setTimeout(() => {}, 60_000)
        if (isClean) clearTimeout(timer)
      })
  },
  {
    kind: "timer",
    name: "a wait that lost a race",
    left: "timer 1, of 30000 ms (ann, since 0 ms)",
    program: (sim, isClean) =>
      sim.call("ann", async () => {
        const giveUp = new AbortController()
        const late = wait(30_000, null, { signal: giveUp.signal }).catch(() => {})
        await Promise.race([late, sim.sleep(10)])
        if (isClean) giveUp.abort()
      })
  },
  {
    kind: "interval",
    name: "an interval that nobody cleared",
    left: "interval 1, every 1000 ms (ann, since 0 ms)",
    program: (sim, isClean) =>
      sim.call("ann", async () => {
        const interval = setInterval(() => {}, 1_000)
        await sim.sleep(3_500)
        if (isClean) clearInterval(interval)
      })
  },
  {
    kind: "connection",
    name: "an agent of undici that nobody closed",
    left: "connection 1, to 127.0.0.1:8001 (ann, since 2 ms)",
    program: async (sim, isClean) => {
      const dispatcher = agentOf(sim)
      const server = greeter()
      const origin = await sim.serve(server)
      await (await undiciFetch(origin, { dispatcher })).text()
      if (!isClean) return
      await dispatcher.close()
      server.close()
    }
  },
  {
    kind: "pair",
    name: "an end of a pair that nobody closed",
    left: "pair ann, its far end (bob, since 0 ms)",
    program: async (sim, isClean) => {
      const { near, far } = sim.socketPair("ann", { peer: "bob" })
      near.destroy()
      if (isClean) far.resume()
    }
  },
  {
    kind: "process",
    name: "a process that nobody ended",
    left: "process agent (ann, since 0 ms)",
    program: async (sim, isClean) => {
      const { parent } = sim.stdioPair("agent", { peer: "ann" })
      if (isClean) parent.kill()
    }
  },
  {
    kind: "listener",
    name: "a server that nobody closed",
    left: "listener 127.0.0.1:8001 (ann, since 0 ms)",
    program: (sim, isClean) =>
      sim.as("ann", async () => {
        const server = greeter()
        await sim.serve(server)
        if (isClean) server.close()
      })
  },
  {
    kind: "detached-fiber",
    name: "a fiber that was detached, and had not begun",
    left: "detached-fiber ann/2 (ann, since 0 ms)",
    program: (sim, isClean) =>
      simRuntime(sim, { actor: "ann" }).runPromise(
        isClean ? Effect.forkDetach(Effect.void) : Effect.forkDetach(Effect.never)
      )
  },
  {
    kind: "fiber",
    name: "a fiber that the program started",
    left: "fiber ann/1 (watch) (ann, since 0 ms)",
    program: async (sim, isClean) => {
      const { runFork } = simRuntime(sim, { actor: "ann" })
      const fiber = runFork(Effect.withSpan(Effect.never, "watch"))
      if (!isClean) return
      fiber.interruptUnsafe()
      await sim.sleep(1)
    }
  }
]

// Each was missed while the law saw requests only; the detached fiber also while what was just forked counted as none.
describe("What a program leaves behind is found", () => {
  it.each(plants)("$name", async ({ kind, left, program }) => {
    const told = await judged({ resources: [kind] }, (sim) => program(sim, false))

    const one = kind === "interval" ? "an interval" : `a ${kind}`
    expect(told.split("\n")[0]).toBe(`OracleViolated: resources: ${one} is left open`)
    expect(told).toContain(`left open at the end: ${left}`)
  })

  it.each(plants)("$name: and not when it was given back", async ({ program }) => {
    expect(await judged({ resources: "all" }, (sim) => program(sim, true))).toBe("nothing")
  })
})

describe("What is no leak", () => {
  const all = { resources: "all" } as const

  it("is a timer that keeps no process alive", async () => {
    const told = await judged(all, async () => {
      setTimeout(() => {}, 60_000).unref()
      setInterval(() => {}, 1_000).unref()
      AbortSignal.timeout(60_000)
    })

    expect(told).toBe("nothing")
  })

  it("is what the test gives back when it ends", async () => {
    const told = await judged(all, async (sim) => {
      const timer = setTimeout(() => {}, 60_000)
      sim.onEnd(async () => clearTimeout(timer))
      const dispatcher = agentOf(sim)
      // Called after the server of the world has closed, whose ends of connections are on their way by then.
      sim.onEnd(() => dispatcher.destroy())
      const server = await sim.startServer({ over: "bytes" })
      await (await undiciFetch(`${server.url()}/models`, { dispatcher })).text()
    })

    expect(told).toBe("nothing")
  })

  it("is an interval that stops by itself, and what is put off to the next moment", async () => {
    const told = await judged(all, async () => {
      let count = 0
      const interval = setInterval(() => {
        count++
        if (count === 3) clearInterval(interval)
      }, 1_000)
      setTimeout(() => {}, 0)
    })

    expect(told).toBe("nothing")
  })

  it("is a connection that its server closed while the program went on", async () => {
    const told = await judged({ resources: ["connection"] }, async (sim) => {
      const dispatcher = agentOf(sim)
      const origin = await sim.serve(greeter(), { idleMs: 100 })
      await (await undiciFetch(origin, { dispatcher })).text()
      await sim.sleep(1_000)
    })

    expect(told).toBe("nothing")
  })
})

describe("Unless it is asked for more, a judged run", () => {
  const isAccused = async (kind: HeldKind): Promise<boolean> => {
    const leaks = plants.filter((plant) => plant.kind === kind)
    const told = await Promise.all(leaks.map(({ program }) => judged({}, (sim) => program(sim, false))))
    return told.every((text) => text.includes("is left open"))
  }

  it("is accused of intervals and detached fibers", async () => {
    expect(await Promise.all((["interval", "detached-fiber"] as const).map(isAccused))).toEqual([true, true])
  })

  it("may leave what well-behaved clients leave", async () => {
    const told = await judged({}, async (sim) => {
      const server = await sim.startServer({ over: "bytes" })
      await (await undiciFetch(`${server.url()}/models`, { dispatcher: agentOf(sim) })).text()
      await sim.serve(greeter())
      setTimeout(() => {}, 60_000)
      sim.socketPair("agent")
      simRuntime(sim).runFork(Effect.never)
    })

    expect(told).toBe("nothing")
  })
})

describe("A failure that is told", () => {
  it("says where in the program it was left behind", async () => {
    const campaign = explore({ runs: 1, judge: {} }, async () => {
      setInterval(() => {}, 1_000)
    })

    await expect(campaign).rejects.toThrow(
      /interval 1, every 1000 ms \(main, since 0 ms, made at test\/campaign\/left-open\.test\.ts:\d+:\d+\)/
    )
  })
})
