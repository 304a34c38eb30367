import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { seededChoice } from "../../src/kernel/choice-sources.ts"
import { makeSimKernel, type SimKernel } from "../../src/kernel/sim-kernel.ts"
import type { LinkEnd } from "../../src/sim/link.ts"
import type { LinkOptions } from "../../src/sim/link-conditions.ts"
import { type LinkNetwork, makeLinkNetwork } from "../../src/sim/link-network.ts"
import { kernelOf, runOut } from "./transport-world.ts"

/** What an end has seen, in order. */
const watch = (end: LinkEnd<string>): Array<string> => {
  const seen: Array<string> = []
  end.read({
    data: (payload) => seen.push(payload),
    fin: () => seen.push("fin"),
    rst: () => seen.push("rst"),
    room: () => seen.push("room")
  })
  return seen
}

interface Pair {
  readonly kernel: SimKernel
  readonly network: LinkNetwork<string>
  readonly client: LinkEnd<string>
  readonly server: LinkEnd<string>
}

/** A client and a server that are connected. */
const connected = (options: LinkOptions = {}, kernel = kernelOf()): Pair => {
  const network = makeLinkNetwork<string>(kernel, options)
  const ends: { client: LinkEnd<string> | null; server: LinkEnd<string> | null } = { client: null, server: null }
  network.listen(
    { host: "127.0.0.1", port: 0 },
    {
      bound: () => {},
      failed: () => {},
      accept(end) {
        ends.server = end
      }
    }
  )
  runOut(kernel)
  network.connect(
    { client: "c1", host: "localhost", port: 8_001 },
    {
      opened(end) {
        ends.client = end
      },
      failed: () => {}
    }
  )
  runOut(kernel)
  const { client, server } = ends
  if (client === null || server === null) throw new Error("not connected")
  return { kernel, network, client, server }
}

describe("A link", () => {
  test("delivers every piece once, in the order of its sending, however the run is drawn", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 32 - 1 }),
        fc.array(fc.tuple(fc.boolean(), fc.nat(30)), { maxLength: 40 }),
        (seed, sends) => {
          const kernel = makeSimKernel({ choice: seededChoice(seed), windowMs: 50 })
          const { client, server } = connected({ faults: { stall: 1 / 4 }, stallsMs: [10, 1_000] }, kernel)
          const seen = { client: watch(client), server: watch(server) }
          const sent = { client: [] as Array<string>, server: [] as Array<string> }
          for (const [at, [isClient, steps]] of sends.entries()) {
            sent[isClient ? "server" : "client"].push(String(at))
            ;(isClient ? client : server).send(String(at), 1)
            for (let step = 0; step < steps; step++) kernel.step()
          }
          runOut(kernel)

          expect(seen).toEqual(sent)
        }
      )
    )
  })

  test("keeps what arrives until somebody reads", () => {
    const { kernel, client, server } = connected()
    client.send("early", 5)
    client.finish()
    runOut(kernel)

    expect(watch(server)).toEqual(["early", "fin"])
  })

  test("goes on the other way when one side has ended", () => {
    const { kernel, client, server } = connected()
    const seen = { client: watch(client), server: watch(server) }
    client.finish()
    runOut(kernel)
    server.send("still here", 1)
    client.send("too late", 1)
    runOut(kernel)

    expect(seen).toEqual({ client: ["still here"], server: ["fin"] })
    expect(client).toMatchObject({ isFinished: true, isClosed: false })
  })

  test("answers what arrives at a closed end with a reset, once", () => {
    const { kernel, client, server } = connected()
    const seen = { client: watch(client), server: watch(server) }
    client.close()
    server.send("one", 1)
    server.send("two", 1)
    runOut(kernel)

    expect(seen).toEqual({ client: [], server: ["fin", "rst"] })
    expect(server.isClosed).toBe(true)
  })

  test("lets through what was sent before a reset", () => {
    const { kernel, client, server } = connected()
    const seen = watch(server)
    client.send("last words", 1)
    client.reset()
    runOut(kernel)

    expect(seen).toEqual(["last words", "rst"])
  })

  test("vanishes behind what was sent: neither end hears of the other again", () => {
    const { kernel, client, server } = connected()
    const seen = { client: watch(client), server: watch(server) }
    server.send("last words", 1)
    server.vanish()
    runOut(kernel)
    client.send("hello?", 1)
    server.send("not really gone", 1)
    server.close()
    runOut(kernel)
    client.close()
    runOut(kernel)

    expect(seen).toEqual({ client: ["last words"], server: [] })
  })

  test("stalls in one direction only, and what was held up comes in its order", () => {
    let stalls = 0
    const kernel = makeSimKernel({
      choice: { draw: (n, label) => (label === "net/c1/stall" && stalls++ === 0 ? n - 1 : 0) }
    })
    const { client, server } = connected({ faults: { stall: 1 / 10 } }, kernel)
    const seen: Array<readonly [payload: string, at: number]> = []
    for (const end of [client, server]) {
      end.read({ data: (payload) => void seen.push([payload, kernel.now()]), fin: () => {}, rst: () => {} })
    }
    const begun = kernel.now()
    client.send("held", 1)
    client.send("behind it", 1)
    server.send("free", 1)
    runOut(kernel)

    expect(seen).toEqual([
      ["free", begun + 1],
      ["held", begun + 1_000],
      ["behind it", begun + 1_000]
    ])
  })

  test("tells a sender to wait when the window is full, and when there is room again", () => {
    const { kernel, client, server } = connected({ windowBytes: 10 })
    const seen = watch(client)
    server.pause()
    watch(server)

    expect(client.send("nine", 9)).toBe(true)
    expect(client.send("one", 1)).toBe(false)
    runOut(kernel)
    expect(client.hasRoom()).toBe(false)

    server.resume()
    runOut(kernel)
    expect(seen).toEqual(["room"])
    expect(client.hasRoom()).toBe(true)
  })

  test("leaves the end of the other side unread while it is paused", () => {
    const { kernel, client, server } = connected()
    const seen = watch(server)
    server.pause()
    client.send("x", 1)
    client.reset()
    runOut(kernel)
    expect(seen).toEqual([])

    server.resume()
    expect(seen).toEqual(["x", "rst"])
  })
})

describe("A network", () => {
  const outcomeOf = (kernel: SimKernel, network: LinkNetwork<string>, host = "127.0.0.1"): (() => string) => {
    let outcome = "nothing"
    network.connect(
      { client: "c1", host, port: 8_001 },
      {
        opened() {
          outcome = "opened"
        },
        failed(why) {
          outcome = why
        }
      }
    )
    return () => {
      runOut(kernel)
      return outcome
    }
  }
  const served = (options: LinkOptions = {}, kernel = kernelOf()) => {
    const network = makeLinkNetwork<string>(kernel, options)
    const refused: Array<string> = []
    const server = {
      bound: () => {},
      failed: (reason: string) => void refused.push(reason),
      accept: () => {},
      refused: () => void refused.push("refused")
    }
    const listening = network.listen({ host: "127.0.0.1", port: 0 }, server)
    runOut(kernel)
    return { kernel, network, refused, server, listening }
  }

  test("refuses connects where nothing listens, and tells the server that was there", () => {
    const { kernel, network, refused, listening } = served()
    listening.unbind()

    expect(outcomeOf(kernel, network)()).toBe("refused")
    expect(refused).toEqual(["refused"])
  })

  test("refuses a connect that arrives after the port was given up", () => {
    const { kernel, network, listening } = served()
    const outcome = outcomeOf(kernel, network)
    listening.unbind()

    expect(outcome()).toBe("refused")
  })

  test("knows loopback names and aliases, and no others", () => {
    const { kernel, network } = served()
    network.alias("api.example.com", 8_001)

    expect(outcomeOf(kernel, network, "localhost")()).toBe("opened")
    expect(outcomeOf(kernel, network, "api.example.com")()).toBe("opened")
    expect(outcomeOf(kernel, network, "other.example.com")()).toBe("unknownHost")
  })

  test("gives a port to one server at a time", () => {
    const { kernel, network, refused, server, listening } = served()
    network.listen({ host: "127.0.0.1", port: 8_001 }, server)
    runOut(kernel)
    expect(refused).toEqual(["listen EADDRINUSE: address already in use 127.0.0.1:8001"])

    listening.unbind()
    network.listen({ host: "127.0.0.1", port: 8_001 }, server)
    runOut(kernel)
    expect(outcomeOf(kernel, network)()).toBe("opened")
  })

  test("labels every draw with the client, and draws the distance of a pair once", () => {
    const kernel = makeSimKernel({ choice: seededChoice(1) })
    const { client, server } = connected({ faults: { rst: 1 / 50, drop: 1 / 50, cut: 1 / 50 } }, kernel)
    watch(server)
    for (let at = 0; at < 5; at++) client.send("x", 1)
    runOut(kernel)
    const labels = kernel.draws.map(({ label }) => label).filter((label) => label !== "schedule")

    expect(labels.every((label) => label.startsWith("net/c1/"))).toBe(true)
    expect(labels.filter((label) => label === "net/c1/distance")).toHaveLength(1)
  })

  test("draws for each run which faults it has at all, when it is told to swarm", () => {
    const kinds = new Set<string>()
    for (let seed = 0; seed < 20; seed++) {
      const kernel = makeSimKernel({ choice: seededChoice(seed) })
      makeLinkNetwork<string>(kernel, { faults: { rst: 0.1, drop: 0.1 }, isSwarm: true })
      kinds.add(kernel.draws.map(({ label, answer }) => `${label}=${answer}`).join())
    }

    expect(kinds.size).toBe(4)
  })

  test("refuses rates and lists that make no sense", () => {
    expect(() => served({ faults: { rst: 0.7 } })).toThrow("faults.rst is 0.7; give a rate from 0 to 0.5")
    expect(() => served({ latenciesMs: [] })).toThrow("latenciesMs is []")
    expect(() => served({ windowBytes: 0 })).toThrow("windowBytes is 0")
  })
})
