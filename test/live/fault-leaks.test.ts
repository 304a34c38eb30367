import { connect, type Socket } from "node:net"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { faultNames } from "../../src/domain/fault-names.ts"
import { startFaults } from "../../src/faults/start-fault-server.ts"
import type { FaultEvent, FaultServer, Outcome } from "../../src/faults.ts"
import { mulberry32 } from "../../src/kernel/mulberry32.ts"
import { liveClock } from "../../src/live/clock.ts"
import { liveHttp } from "../../src/live/http-server.ts"
import { makeManualClock } from "../../src/live/manual-clock.ts"
import { resourceSnapshot } from "../../src/live/resource-snapshot.ts"
import type { Listening } from "../../src/ports/http-port.ts"
import { makeLifetime } from "../../src/supervisor/lifetime.ts"
import { rawPost } from "../support/live-world.ts"
import { seed } from "../support/seed.ts"

const requests = 10_000
const connections = 64

/** How a client behaves that is in no mood to wait: not at all, in four moments of its request. */
const moods = ["upload", "sent", "halfClosed", "reset", "accepted"] as const

interface Ask {
  readonly bytes: string
  readonly mood: (typeof moods)[number] | "patient"
  /** Among several ways in which a client may go on. */
  readonly way: number
}

/** Requests that ask for these faults at random, in every format, one in six by a client that leaves. */
const asksFor = (count: number, faults: ReadonlyArray<string>): ReadonlyArray<Ask> => {
  const draw = mulberry32(seed)
  const pick = <A>(list: ReadonlyArray<A>, otherwise: A): A => list[draw() % list.length] ?? otherwise
  return Array.from({ length: count }, (_, index) => {
    const fault = `x-understudy-fault: ${pick(faults, "success")}`
    const path = pick(["/v1/chat/completions", "/v1/responses", "/v1/messages"], "")
    const body = JSON.stringify({ model: "m", messages: [], stream: draw() % 2 === 0 })
    const mood = draw() % 6 === 0 ? pick(moods, "sent") : "patient"
    return { bytes: rawPost(path, body, [fault, `x-ask: ${index}`]), mood, way: draw() % 3 }
  })
}

/** A server whose connections and timers are seen, and whose time runs as fast as it can. */
const startWatched = async (onEvent: (event: FaultEvent) => void) => {
  const clock = makeManualClock()
  const armed = new Set<symbol>()
  const arm: typeof clock.arm = (ms, label, fire) => {
    const timer = Symbol(label)
    armed.add(timer)
    const forget = clock.arm(ms, label, () => {
      armed.delete(timer)
      fire()
    })
    return () => {
      armed.delete(timer)
      forget()
    }
  }
  const ports: Array<Listening> = []
  const server = await new Promise<FaultServer>((started, failed) =>
    startFaults(
      {
        clock: { now: clock.now, wallMs: clock.wallMs, arm },
        guardClock: liveClock,
        advance: clock.advance,
        http: {
          listen(...parts) {
            const port = liveHttp.listen(...parts)
            ports.push(port)
            return port
          }
        },
        lifetime: makeLifetime(Effect.runSync),
        anySeed: () => seed,
        countsConnects: false
      },
      {
        sequence: ["success"],
        repeatLast: true,
        successText: "ok, 🌊",
        chunkSize: 3,
        recordsMax: 100,
        heartbeatMs: 3_600_000,
        onEvent
      },
      { started, failed }
    )
  )
  return {
    server,
    armed: () => armed.size,
    connections: () => ports.reduce((sum, port) => sum + port.connections(), 0)
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await turn()
}

/** What was closed is gone a few turns later. */
const settle = async (): Promise<void> => {
  for (let turns = 0; turns < 10; turns++) await turn()
}

const leave = (socket: Socket, way: number): void => {
  if (way === 0) socket.destroy()
  else if (way === 1) socket.end()
  else socket.resetAndDestroy()
}

/** A connection of a client. */
interface Line {
  readonly socket: Socket
  readonly closed: Promise<void>
}

/** Clients on so many connections, and what became of their requests. */
const makeCrowd = async () => {
  const outcomes = new Map<Outcome, number>()
  const attempts = new Map<number, number>()
  const waits = new Map<number, { accepted(): void; ended(outcome: Outcome): void }>()
  const watched = await startWatched((event) => {
    if (event.type === "request") {
      const ask = Number(watched.server.requests.at(-1)?.headers["x-ask"])
      attempts.set(event.attempt, ask)
      waits.get(ask)?.accepted()
    } else if (event.type === "result") {
      outcomes.set(event.outcome, (outcomes.get(event.outcome) ?? 0) + 1)
      const ask = attempts.get(event.attempt) ?? -1
      attempts.delete(event.attempt)
      waits.get(ask)?.ended(event.outcome)
    }
  })

  const open = (): Line => {
    const socket = connect({ host: "127.0.0.1", port: watched.server.port })
    socket.on("error", () => {})
    socket.resume()
    return { socket, closed: new Promise((resolve) => socket.once("close", () => resolve())) }
  }

  /** Asks and goes on as the outcome demands. Gives the line if it can be used again. */
  const ask = async (line: Line, index: number, { bytes, mood, way }: Ask): Promise<Line | null> => {
    const { socket, closed } = line
    if (mood === "upload") socket.end(bytes.slice(0, -9))
    else if (mood === "halfClosed") socket.end(bytes)
    else if (mood === "sent") socket.write(bytes, () => socket.destroy())
    else if (mood === "reset") socket.write(bytes, () => socket.resetAndDestroy())
    else {
      const ended = new Promise<Outcome>((resolve) => {
        const accepted = (): void => {
          if (mood === "accepted") process.nextTick(() => leave(socket, way))
        }
        waits.set(index, { accepted, ended: resolve })
      })
      socket.write(bytes)
      const outcome = await ended
      waits.delete(index)
      if (mood === "patient" && outcome === "completed" && way > 0) return line
      if (outcome !== "reset" && mood === "patient") leave(socket, way)
    }
    await closed
    return null
  }

  /** All requests, while time passes. */
  const round = async (asks: ReadonlyArray<Ask>, stepMs = 60_000): Promise<void> => {
    const next = asks.entries()
    const work = async (): Promise<void> => {
      let line: Line | null = null
      for (const [index, each] of next) line = await ask(line ?? open(), index, each)
      line?.socket.end()
      await line?.closed
    }
    let working = connections
    const workers = Array.from({ length: connections }, () => work().finally(() => working--))
    while (working > 0) await watched.server.clock.advance(stepMs)
    await Promise.all(workers)
  }
  return { watched, outcomes, round }
}

const collectGarbage = (): void => {
  setFlagsFromString("--expose-gc")
  const gc: unknown = runInNewContext("gc")
  if (typeof gc === "function") gc()
}

/** What keeps this process busy now and did not before; clients and server are both in it. */
const busySince = (before: ReadonlyArray<string>): ReadonlyArray<string> => {
  const left = [...before]
  return process.getActiveResourcesInfo().filter((kind) => {
    const at = left.indexOf(kind)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** Bytes of the heap when nothing is on it that could go. */
const heldBytes = async (): Promise<number> => {
  collectGarbage()
  await turn()
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** Less than this much more for each request is no leak: what is learned about hot code is on the heap too. */
const bytesEach = 100

/** Every fault that ends by itself or with its client; slow ones are few. */
const common = faultNames.filter((name) => name !== "vanish" && name !== "drip")
const faults = [...common, ...common, ...common, ...common, "drip"]

/** So long a test may take on a slow machine; it measures no time. */
const patienceMs = 120_000

it(
  `after ${requests} random faults at ${connections} connections, sockets, timers and memory are where they were`,
  async () => {
    const before = process.getActiveResourcesInfo()
    const files = resourceSnapshot()
    const { watched, outcomes, round } = await makeCrowd()
    const asks = asksFor(requests, faults)
    const held: Array<number> = []

    // The second round is the same as the first, so all that it needs was there before.
    for (let again = 0; again < 2; again++) {
      await round(asks)
      await until(() => watched.connections() === 0)
      expect(watched.armed()).toBe(0)
      expect(busySince(before)).toEqual(["TCPServerWrap"])
      held.push(await heldBytes())
    }
    const [first = 0, second = 0] = held
    expect((second - first) / requests).toBeLessThan(bytesEach)

    expect([...outcomes.keys()].sort()).toEqual(["client_closed", "completed", "reset", "stalled"])
    expect([...outcomes.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(1.8 * requests)
    await watched.server.close()
    await settle()
    expect(busySince(before)).toEqual([])
    expect(resourceSnapshot().growthFrom(files).openFiles ?? 0).toBe(0)
  },
  patienceMs
)

it("a client that leaves in a pause takes its timer with it, while time stands still", async () => {
  const { watched, outcomes, round } = await makeCrowd()
  const slow = ["slow_success", "slow_head", "stream_disconnect", "partial_disconnect", "drip"]
  const asksOf = (count: number, names: ReadonlyArray<string>) =>
    asksFor(count, names).map((ask) => ({ ...ask, mood: "accepted" }) as const)

  await round(asksOf(1_000, slow), 0)
  await round(asksOf(200, ["comment_stall"]), 0)

  await until(() => watched.connections() === 0)
  expect(outcomes).toEqual(
    new Map([
      ["client_closed", 1_000],
      ["stalled", 200]
    ])
  )
  expect(watched.armed()).toBe(0)
  await watched.server.close()
})

it("who vanished holds one socket for each client, also when it left, until the server closes", async () => {
  const before = process.getActiveResourcesInfo()
  const { watched, outcomes, round } = await makeCrowd()

  // A FIN of theirs would not be answered: they go without a word, too.
  await round(asksFor(connections, ["vanish"]).map((ask) => ({ ...ask, mood: "patient", way: 0 })))

  expect(outcomes).toEqual(new Map([["stalled", connections]]))
  expect([watched.connections(), watched.armed()]).toEqual([connections, 0])
  await watched.server.close()
  await settle()
  expect([watched.connections(), ...busySince(before)]).toEqual([0])
})
