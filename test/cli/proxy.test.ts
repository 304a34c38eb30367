import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { afterEach, describe, expect, onTestFinished, test } from "vitest"
import { finish, type RunningCommand, start, stopAll } from "./fake-io.ts"
import type { Json } from "./lines.ts"
import { askAt, echoAt, stayAt } from "./proxy-peers.ts"
import { tempFolder } from "./temp-folder.ts"

const folder = tempFolder()
let places = 0
const freshPath = (): string => folder.path(`${++places}.sock`)

afterEach(stopAll)

interface RunningProxy extends RunningCommand {
  readonly ready: Json
  /** Where it listens. */
  readonly front: string
  readonly stop: () => Promise<Json>
}

/** A proxy of lines before an echo. */
const startProxy = async (...argv: ReadonlyArray<string>): Promise<RunningProxy> => {
  const [front, up] = [freshPath(), freshPath()]
  await echoAt(up)
  return proxyOf(front, start(["proxy", "--listen", front, "--upstream", up, "--framing", "ndjson", ...argv]))
}

const proxyOf = async (front: string, command: RunningCommand): Promise<RunningProxy> => {
  const ready = await command.out.record("ready")
  const stop = async (): Promise<Json> => {
    command.signal("SIGINT")
    expect(await command.code).toBe(0)
    return command.out.record("summary")
  }
  return { ...command, ready, front, stop }
}

const drop2 = folder.write("drop2.yaml", "dropFrame: 2")

describe("understudy proxy", () => {
  test("tells where it is, lets through what its plan lets, and sums up when it is stopped", async () => {
    const proxy = await startProxy("--plan", drop2, "--seed", "9")

    expect(await askAt(proxy.front, "one\ntwo\nthree\n")).toBe("one\nthree\n")

    expect(proxy.ready).toEqual({
      type: "ready",
      listen: `unix:${proxy.front}`,
      upstream: expect.stringMatching(/^unix:\//),
      framing: "ndjson",
      rules: 1,
      seed: 9,
      pid: process.pid
    })
    expect(await proxy.stop()).toEqual({
      type: "summary",
      accepted: 1,
      upstreamRefused: 0,
      active: 0,
      closed: 1,
      severed: 0,
      frameErrors: 0,
      forwarded: { clientToLeader: 2, leaderToClient: 2 },
      seed: 9
    })
    expect(proxy.out.all).toHaveLength(2)
    expect(proxy.err.all.at(-1)).toBe(
      "understudy: stopped: 1 connection, 2 frames to the upstream and 2 back, 0 severed"
    )
    expect(existsSync(proxy.front)).toBe(false)
  })

  test("tells the port that it has chosen, and of HTTP the URL", async () => {
    const port = await echoAt(0)
    const command = start(["proxy", "--listen", "tcp:0", "--upstream", `tcp:127.0.0.1:${port}`, "--framing", "ndjson"])
    const { ready } = await proxyOf("", command)

    expect(ready["listen"]).toBe(`tcp:127.0.0.1:${ready["port"]}`)
    expect(ready).not.toHaveProperty("url")
    expect(await askAt(Number(ready["port"]), "hello\n")).toBe("hello\n")
  })

  test("tells events in the form of its log, appends them to its trace, and writes what it has recorded", async () => {
    const [trace, record] = [folder.path("trace.jsonl"), folder.path("record.jsonl")]
    writeFileSync(record, "of another run")
    const proxy = await startProxy("--log", "jsonl", "--trace", trace, "--record", record, "--plan", drop2)
    await askAt(proxy.front, "one\ntwo\nta")
    const summary = await proxy.stop()

    const events = recordsOf(proxy.out.all.join("\n")).slice(1, -1)
    expect(events.map(({ type }) => type)).toContain("frame")
    expect(events[0]).toMatchObject({ type: "listening" })
    expect(events.at(-1)).toMatchObject({ type: "stopped" })
    expect(events.find(({ action }) => action === "dropped")).toMatchObject({ index: 2, rules: ["dropFrame"] })
    const [head, ...traced] = recordsOf(readFileSync(trace, "utf8"))
    expect(head).toMatchObject({ type: "run", framing: "ndjson", pid: process.pid })
    expect(traced).toEqual(events)

    const [first, ...frames] = recordsOf(readFileSync(record, "utf8"))
    expect(first).toEqual(head)
    const came = frames.filter(({ direction }) => direction === "clientToLeader")
    expect(came.map(({ type, index, body }) => [type, index, body])).toEqual([
      ["frame", 1, { text: "one\n" }],
      ["frame", 2, { text: "two\n" }],
      ["tail", undefined, { text: "ta" }]
    ])
    expect(summary).toMatchObject({ recorded: frames.length, missed: 0 })
  })

  test("tells people what happens with --log pretty, and problems in any case", async () => {
    const front = freshPath()
    const pretty = await startProxy("--log", "pretty")
    await askAt(pretty.front, "one\n")
    await pretty.err.first((line) => /^ +\d+\.\d{3} {2}#1 c2u frame 1, 4 bytes: forwarded$/.test(line))
    expect(pretty.out.all).toHaveLength(1)

    const lonely = start(["proxy", "--listen", front, "--upstream", freshPath()])
    await lonely.out.record("ready")
    expect(await askAt(front, "")).toBe("")
    await lonely.err.first((line) => line.startsWith("understudy: #1 refused: "))
    lonely.signal("SIGTERM")
    await lonely.code
    expect(lonely.err.all.at(-1)).toContain("1 without an upstream")
  })

  test("is commanded by standard input, in words or as JSON", async () => {
    const proxy = await startProxy("--log", "jsonl")
    const stays = stayAt(proxy.front)
    await proxy.out.record("connected")
    proxy.type("sever 1")
    await stays.closed
    proxy.type(`plan ${drop2}`)
    proxy.type('{"id":5,"command":"rule list"}')
    proxy.type("hodl")

    expect(await proxy.out.record("command", ({ line }) => line === "sever 1")).toEqual({
      type: "command",
      line: "sever 1",
      ok: true,
      result: { severed: 1 }
    })
    expect(await proxy.out.record("command", ({ id }) => id === 5)).toMatchObject({
      result: { rules: [{ id: "dropFrame" }] }
    })
    await proxy.err.first((line) => line.includes('unknown command \\"hodl\\"; did you mean \\"hold\\"?'))
    proxy.type("stop")
    expect(await proxy.code).toBe(0)
  })

  test("is commanded through its control socket", async () => {
    const control = freshPath()
    const proxy = await startProxy("--control", control)
    const say = async (...words: ReadonlyArray<string>) => {
      const { code, out } = await finish("proxy-control", control, ...words)
      return { code, answer: JSON.parse(out) }
    }
    expect(proxy.ready["control"]).toBe(`unix:${control}`)

    expect(await say("hold", "go", "c2u", 'match={"index":1}')).toMatchObject({ code: 0, answer: { ok: true } })
    const asked = askAt(proxy.front, "one\n")
    expect((await say("wait", "held", "go")).answer.result).toMatchObject({ index: 1, barriers: ["go"] })
    expect((await say("release", "go")).answer.result).toEqual({ frames: 1, barriers: ["go"] })
    expect(await asked).toBe("one\n")
    expect(await say("vanish", "9")).toMatchObject({ code: 1, answer: { ok: false } })
    expect(await say("rule", "add", drop2)).toMatchObject({ code: 1, answer: { ok: false } })
    expect((await say("plan", drop2)).answer.result).toEqual({ rules: 1 })
    expect(await askAt(proxy.front, "one\ntwo\n")).toBe("one\n")
    expect((await say("stats")).answer.result).toMatchObject({ totals: { accepted: 2 }, rules: 1 })
    expect((await say("stop")).answer).toEqual({ ok: true, result: {} })

    expect(await proxy.code).toBe(0)
    expect([control, proxy.front].filter(existsSync)).toEqual([])
  })

  test("ends at once by a second signal", async () => {
    const proxy = await startProxy()
    proxy.signal("SIGINT")
    proxy.signal("SIGINT")
    expect(proxy.exits).toEqual([])
    proxy.advance(301)
    proxy.signal("SIGINT")

    expect(proxy.exits).toEqual([130])
    expect(await proxy.code).toBe(0)
  })
})

describe("understudy proxy does not begin", () => {
  const refusal = async (...argv: ReadonlyArray<string>): Promise<string> => {
    const { code, out, err } = await finish("proxy", ...argv)
    expect({ code, out }).toEqual({ code: 1, out: "" })
    return err
  }

  test("where somebody listens, or something stands that is no socket", async () => {
    const proxy = await startProxy()
    const file = folder.write("file.sock", "text")

    expect(await refusal("--listen", proxy.front, "--upstream", "./up.sock")).toMatch(
      /^understudy: the proxy cannot listen at .*: somebody accepts connections .*; give --listen another path or port/
    )
    expect(await refusal("--listen", file, "--upstream", "./up.sock")).toContain("is there, and is no socket")
    expect(readFileSync(file, "utf8")).toBe("text")
    expect(await askAt(proxy.front, "one\n")).toBe("one\n")
  })

  test("at a path that is too long, or in a folder that is missing", async () => {
    const long = folder.path(`${"x".repeat(120)}.sock`)

    expect(await refusal("--listen", long, "--upstream", "./up.sock")).toMatch(
      /at most 10[37] are allowed: .*; give a shorter one$/
    )
    expect(await refusal("--listen", "./front.sock", "--upstream", long)).toMatch(/at most 10[37] are allowed/)
    expect(existsSync("front.sock")).toBe(false)
    expect(await refusal("--listen", folder.path("none/a.sock"), "--upstream", "./up.sock")).toContain("ENOENT")
  })

  test("without its control socket, and leaves nothing then", async () => {
    const front = freshPath()
    const server = createServer()
    onTestFinished(() => void server.close())
    const port = await new Promise<number>((resolve) =>
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resolve(typeof address === "object" && address !== null ? address.port : 0)
      })
    )

    expect(await refusal("--listen", front, "--upstream", "./up.sock", "--control", `tcp:127.0.0.1:${port}`)).toMatch(
      /^understudy: cannot listen at tcp:127\.0\.0\.1:\d+: .*EADDRINUSE.*; give --control another path or port/
    )
    expect(existsSync(front)).toBe(false)
  })

  test("when a file that it is to write cannot be written", async () => {
    const none = folder.path("none/file.jsonl")
    const ends = ["--listen", freshPath(), "--upstream", "./up.sock"]

    expect(await refusal(...ends, "--trace", none)).toContain("cannot write the trace ")
    expect(await refusal(...ends, "--record", none)).toMatch(
      /^understudy: cannot write the recording .*there is no folder /
    )
    expect(await refusal(...ends, "--record", folder.path("."))).toContain("it is a folder; give --record a file")
  })
})

const recordsOf = (text: string): ReadonlyArray<Json> =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
