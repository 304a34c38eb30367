import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { PassThrough } from "node:stream"
import { afterEach, describe, expect, test } from "vitest"
import type { CommandIo } from "../../src/cli/command-io.ts"
import { readOptions } from "../../src/cli/option-table.ts"
import { proxy } from "../../src/cli/proxy.ts"
import { proxyOptions, toProxyAsked } from "../../src/cli/proxy-options.ts"
import type { FaultProxy } from "../../src/proxy/fault-proxy.ts"
import type { RecordedFrame } from "../../src/proxy/proxy-recording.ts"
import { makeFakeProxy } from "../proxy/control/fake-proxy.ts"
import { finish, type RunningCommand, start, startServe, stopAll } from "./fake-io.ts"
import { type Json, linesOf } from "./lines.ts"
import { askAt, echoAt, stayAt } from "./proxy-peers.ts"
import { postChat } from "./requests.ts"
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

/** The command with a proxy that is none. */
const proxyOfFake = (fake: FaultProxy, ...argv: ReadonlyArray<string>) => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const nothing = { onSignal: () => {}, now: () => 0, exit: () => {} }
  const io: CommandIo = { stdout, stderr, stdin: async () => null, ...nothing }
  const read = readOptions(proxyOptions, ["--listen", "tcp:0", "--upstream", "./up.sock", ...argv])
  const asked = read.ok ? toProxyAsked(read.given) : null
  if (asked === null) throw new Error("the options are wrong")
  return { code: proxy(asked, io, { spawn: async () => fake }), out: linesOf(stdout), err: linesOf(stderr) }
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

  test("makes a recording that nobody else may read, and leaves the mode of a file that is there", async () => {
    const [made, there] = [folder.path("made.jsonl"), folder.write("there.jsonl", "")]
    chmodSync(there, 0o644)
    for (const record of [made, there]) await (await startProxy("--record", record)).stop()

    expect([made, there].map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual(["600", "644"])
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
    proxy.type(`plan ${folder.path("none.yaml")}`)

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
    await proxy.err.first((line) => line.startsWith('understudy: {"ok":false,"error":"cannot read '))
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
    const bad = folder.write("bad.yaml", "direction: c2u\ndropFrme: 2")
    const { code, out, err } = await finish("proxy-control", control, "plan", bad)
    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(err).toContain(`${bad}:2:1 \`dropFrme\` of the fault plan is not known`)
    expect((await say("plan", drop2)).answer.result).toEqual({ rules: 1 })
    expect(await askAt(proxy.front, "one\ntwo\n")).toBe("one\n")
    expect((await say("stats")).answer.result).toMatchObject({ totals: { accepted: 2 }, rules: 1 })
    expect((await say("stop")).answer).toEqual({ ok: true, result: {} })

    expect(await proxy.code).toBe(0)
    expect([control, proxy.front].filter(existsSync)).toEqual([])
  })

  test("stands before a provider: the first answer is cut behind two events, the next one is whole", async () => {
    const { url } = await startServe()
    const rule = { direction: "u2c", connection: 1, match: { kind: "event", index: 4 }, action: "sever" }
    const plan = folder.write("cut.json", JSON.stringify({ rules: [rule] }))
    const upstream = url.replace("/v1", "")
    const { ready } = await proxyOf("", start(["proxy", "--listen", "tcp:0", "--upstream", upstream, "--plan", plan]))
    const ask = async (): Promise<number> => {
      const { body } = await postChat(`${ready["url"]}/v1`, { stream: true })
      let text = ""
      try {
        for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) text += piece
      } catch {
        // It was cut.
      }
      return text.split("\n\n").length - 1
    }

    expect(ready).toMatchObject({ framing: "http", url: `http://127.0.0.1:${ready["port"]}` })
    // The head is the first frame.
    expect(await ask()).toBe(2)
    expect(await ask()).toBeGreaterThan(3)
  })

  test("ends with exit code 1 when the system lets it accept nobody any more, and says what it knew", async () => {
    const fake = makeFakeProxy()
    const { code, out, err } = proxyOfFake(fake.proxy)
    await out.record("ready")
    fake.reach(3)
    fake.happen({ type: "failed", reason: "EMFILE", at: 5 })
    fake.reach(9)

    expect(await code).toBe(1)
    expect(await out.record("summary")).toMatchObject({ accepted: 3 })
    expect(err.all).toContain("understudy: nobody is accepted any more: EMFILE")
    expect(fake.told).toContain("stop")
  })

  // Seen to fail while the recording was written before.
  test("sums up also when the recording cannot be written, and ends with exit code 1", async () => {
    const fake = makeFakeProxy()
    const frames = Object.assign([] as RecordedFrame[], {
      [Symbol.iterator](): never {
        throw new Error("ENOSPC: no space left on device, write")
      }
    })
    const recorded: FaultProxy = { ...fake.proxy, recording: () => ({ frames, missed: 0 }) }
    const { code, out, err } = proxyOfFake(recorded, "--record", folder.path("full.jsonl"))
    await out.record("ready")
    fake.happen({ type: "failed", reason: "EMFILE", at: 5 })

    expect(await code).toBe(1)
    expect(await out.record("summary")).toMatchObject({ accepted: 0 })
    expect(err.all.at(-1)).toMatch(/^understudy: cannot write the recording ".*full.jsonl": .*no space left/)
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

const recordsOf = (text: string): ReadonlyArray<Json> =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
