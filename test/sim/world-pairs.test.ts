import { createInterface } from "node:readline"
import type { Readable, Writable } from "node:stream"
import { describe, expect, test } from "vitest"
import { explore, type SimChild, type SimInside, type SimProgram, withSim } from "../../src/sim.ts"

/** What a request and an answer of the little protocol are: one line of JSON each. */
interface Line {
  readonly id: number
  readonly text: string
}

interface LineClient {
  ask(text: string): Promise<string>
}

type ReadLines = (from: Readable, onLine: (line: string) => void) => void

const byReadline: ReadLines = (from, onLine) => void createInterface({ input: from }).on("line", onLine)

/** The planted bug: it takes a piece for a line, which holds until the network cuts one. */
const byPiece: ReadLines = (from, onLine) => void from.setEncoding("utf8").on("data", onLine)

/** A client as they are written for processes: it knows nothing of simulations. */
const lineClient = (child: Pick<SimChild, "stdin" | "stdout" | "on">, readLines = byReadline): LineClient => {
  const waiting = new Map<number, { resolve(text: string): void; reject(error: Error): void }>()
  let ids = 0
  readLines(child.stdout, (line) => {
    const { id, text }: Line = JSON.parse(line)
    waiting.get(id)?.resolve(text)
    waiting.delete(id)
  })
  const fail = (): void => {
    for (const { reject } of waiting.values()) reject(new Error("the agent is gone"))
    waiting.clear()
  }
  child.stdout.on("end", fail)
  child.stdin.on("error", fail)
  return {
    ask: (text) =>
      new Promise((resolve, reject) => {
        const id = ++ids
        waiting.set(id, { resolve, reject })
        child.stdin.write(`${JSON.stringify({ id, text })}\n`)
      })
  }
}

/** An agent that answers in capitals, in the order that it likes, and leaves when nobody asks any more. */
const startAgent = ({ stdin, stdout }: { stdin: Readable; stdout: Writable }, think: (text: string) => Promise<void>) =>
  createInterface({ input: stdin }).on("line", async (line) => {
    const { id, text }: Line = JSON.parse(line)
    await think(text)
    stdout.write(`${JSON.stringify({ id, text: text.toUpperCase() })}\n`)
  })

const askTwice =
  (readLines: ReadLines): SimProgram =>
  async (sim) => {
    const { parent, child } = sim.stdioPair("agent")
    const agent = startAgent(child, () => sim.sleep(sim.choice.draw(3, "thinks") * 10))
    agent.on("close", () => child.exit())
    const client = lineClient(parent, readLines)
    const answers = await Promise.all(["sea", "schön 🌊"].map((text) => client.ask(text)))
    parent.stdin.end()
    const code = await new Promise((resolve) => parent.on("close", resolve))
    expect([...answers, code]).toEqual(["SEA", "SCHÖN 🌊", 0])
    sim.sometimes("the second answer came first", sim.now() > 20)
  }

describe("A client of an agent over its standard streams", () => {
  test("understands it however the network cuts and delays its lines", async () => {
    const { stats } = await explore({ runs: 60, network: { segmentBytesMax: 5 } }, askTwice(byReadline))
    expect(stats.runs).toBe(60)
  })

  test("is found out when it takes pieces for lines", async () => {
    await expect(explore({ runs: 60, network: { segmentBytesMax: 5 } }, askTwice(byPiece))).rejects.toMatchObject({
      _tag: "SimFailed",
      message: expect.stringMatching(/JSON[\s\S]*SIM_REPLAY='us1\./)
    })
  })

  test("is told when the agent dies on it, by the network or by a signal, and never hangs", async () => {
    const seen = new Set<string>()
    const faults = { cut: 1 / 4, rst: 1 / 4 }
    await explore({ runs: 60, network: { faults } }, async (sim) => {
      const { parent, child } = sim.stdioPair("agent")
      const agent = startAgent(child, () => sim.sleep(5))
      agent.on("close", () => child.exit(3))
      child.stdout.on("error", () => child.exit(3))
      const client = lineClient(parent)
      if (sim.choice.draw(2, "killed") === 1) setTimeout(() => parent.kill("SIGKILL"), 5)
      seen.add(await client.ask("anybody?").catch(({ message }) => message))
      parent.kill()
    })
    expect([...seen].sort()).toEqual(["ANYBODY?", "the agent is gone"])
  })
})

/** Everything that comes out of a stream, and how it ended. */
const drained = async (from: Readable): Promise<string> => {
  let text = ""
  try {
    for await (const piece of from) text += piece
    return `${text}|end`
  } catch (error) {
    return `${text}|${error instanceof Error && "code" in error ? error.code : error}`
  }
}

const events = (child: SimChild, seen: Array<unknown>): Promise<void> => {
  child.on("exit", (code, signal) => void seen.push(["exit", code, signal]))
  return new Promise((resolve) =>
    child.on("close", (code, signal) => {
      seen.push(["close", code, signal])
      resolve()
    })
  )
}

describe("A simulated process", () => {
  const lived = async (end: (parent: SimChild, child: SimInside) => void) =>
    await withSim({ seed: 5 }, async (sim) => {
      const { parent, child } = sim.stdioPair("agent", { peer: "ann", windowBytes: 4 })
      const seen: Array<unknown> = []
      const closed = events(parent, seen)
      for (const word of ["one ", "two ", "three "]) child.stdout.write(word)
      child.stderr.write("careful")
      end(parent, child)
      const texts = await Promise.all([drained(parent.stdout), drained(parent.stderr)])
      await closed
      return { texts, seen, status: [parent.exitCode, parent.signalCode, parent.killed], pid: parent.pid - child.pid }
    })

  test("that exits has said all it had to say", async () => {
    expect(await lived((_, child) => child.exit(7))).toEqual({
      texts: ["one two three |end", "careful|end"],
      seen: [
        ["exit", 7, null],
        ["close", 7, null]
      ],
      status: [7, null, false],
      pid: 0
    })
  })

  test("has of `process` what its documentation names", async () => {
    const { child } = await withSim({}, (sim) => sim.stdioPair("agent"))
    expect(Object.keys(child)).toEqual(["stdin", "stdout", "stderr", "pid", "exit"])
  })

  test("that is killed loses what had not left it", async () => {
    expect(await lived((parent) => void parent.kill())).toMatchObject({
      texts: ["one |end", "careful|end"],
      seen: [
        ["exit", null, "SIGTERM"],
        ["close", null, "SIGTERM"]
      ],
      status: [null, "SIGTERM", true]
    })
  })

  test("that reads no more is a broken pipe for who writes to it, and ends once", async () => {
    const seen = await withSim({}, async (sim) => {
      const { parent, child } = sim.stdioPair("agent")
      const broken = new Promise((resolve) => parent.stdin.on("error", resolve))
      child.stdin.destroy()
      parent.stdin.write("anybody?")
      const error = await broken
      child.exit()
      return { error, kills: [parent.kill(), parent.kill()] }
    })
    expect(seen).toMatchObject({ error: { code: "EPIPE", message: "write EPIPE" }, kills: [false, false] })
  })

  test("makes its writer wait until it reads", async () => {
    const seen = await withSim({}, async (sim) => {
      const { parent, child } = sim.stdioPair("agent", { windowBytes: 8 })
      const order: Array<string> = []
      const written = new Promise<void>((resolve) =>
        parent.stdin.write("more than the window holds", () => {
          order.push("written")
          resolve()
        })
      )
      await sim.sleep(1_000)
      order.push("read")
      child.stdin.resume()
      await written
      return order
    })
    expect(seen).toEqual(["read", "written"])
  })
})

describe("A pair of Unix sockets", () => {
  const talk = (options: Parameters<typeof withSim>[0]) =>
    withSim(options, async (sim) => {
      const { near, far } = sim.socketPair("proxy", { peer: "leader" })
      const other = sim.socketPair("proxy", { peer: "leader" })
      const lines = createInterface({ input: far }).on("line", (line) => far.write(`${line}!\n`))
      // Unheard, an error of a context of its own would come as another one of Node.
      for (const heard of [lines, near, far, other.near, other.far]) heard.on("error", () => {})
      near.end("hello\nworld\n")
      other.far.end("second")
      return [await drained(near), await drained(other.near), String(sim.now())]
    })

  test("carries lines both ways, whole and in order, and ends them", async () => {
    const [first, second] = await talk({ seed: 2, network: { segmentBytesMax: 2 } })
    expect([first, second]).toEqual(["hello!\nworld!\n|end", "second|end"])
  })

  test("does the same for one seed, and takes another time for another", async () => {
    const network = { segmentBytesMax: 2 }
    expect(await talk({ seed: 2, network })).toEqual(await talk({ seed: 2, network }))
    const times = await Promise.all([1, 2, 3, 4, 5].map(async (seed) => (await talk({ seed, network })).at(-1)))
    expect(new Set(times).size).toBeGreaterThan(1)
  })

  test("is reset by the faults of its network, as an error of Node", async () => {
    const ends = new Set<string>()
    for (let seed = 0; seed < 20; seed++) {
      const [first = ""] = await talk({ seed, network: { faults: { rst: 1 / 2 } } }).catch(({ code }) => [`|${code}`])
      ends.add(first.slice(first.indexOf("|")))
    }
    expect(ends).toEqual(new Set(["|end", "|ECONNRESET"]))
  })

  test("refuses what is no network", async () => {
    const wrong = withSim({}, (sim) => sim.socketPair("proxy", { segmentBytesMax: 0 }))
    await expect(wrong).rejects.toThrow("segmentBytesMax is 0")
  })
})
