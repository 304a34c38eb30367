import { describe, expect, it } from "vitest"
import { forever, makeRawStage, pauses, says } from "../../../properties/observation/raw-stage.ts"
import { InvalidOption } from "../../../src/domain/errors.ts"
import {
  AgentClosed,
  AgentInputClosed,
  KillTimeout,
  ProtocolViolation,
  RequestTimeout,
  WaitTimeout
} from "../../../src/domain/harness-errors.ts"
import type { SimScript } from "../../../src/sim/process-script.ts"
import { line } from "./raw-world.ts"

const silent: SimScript = { steps: [forever] }

const note = `${line({ method: "n" })}\n`

const answer = (id: string): string => `${line({ id, result: {} })}\n`

describe("in virtual time", () => {
  it("a wait ends exactly with its time, which is stretched (47)", async () => {
    const { client, settled } = await makeRawStage(silent)
    const scaled = await makeRawStage(silent, {}, { timeoutScale: 3 })
    const late = await settled(client.responseForId("a", { what: "a", ms: 200 }))

    expect(late.at).toBe(200)
    expect(late.error).toBeInstanceOf(RequestTimeout)
    expect(String(late.error)).toContain("a: no matching response within 200 ms (0 other messages seen; last: [])")
    const slow = await scaled.settled(scaled.client.waitForMessage(() => true, { what: "b", ms: 200 }))
    expect(slow.at).toBe(600)
    expect(slow.error).toBeInstanceOf(WaitTimeout)
    expect(String(slow.error)).toContain("b: no matching message within 600 ms (0 other messages seen; last: [])")
  })

  it("one deadline counts for all lines together", async () => {
    const { client, settled } = await makeRawStage({
      steps: [pauses(90), says(note), pauses(90), says(note), pauses(90), says(answer("a")), forever]
    })

    expect((await settled(client.responseForId("a", { ms: 200 }))).at).toBe(200)
    expect(await settled(client.responseForId("a", { ms: 71 }))).toMatchObject({ at: 270, value: { id: "a" } })
  })

  it("nobody has 30 seconds who does not say otherwise", async () => {
    const { client, settled } = await makeRawStage(silent)

    expect((await settled(client.nextMessage())).at).toBe(30_000)
  })

  it("an agent that closes its output has 250 ms for its last words, once (50)", async () => {
    const { client, settled } = await makeRawStage({
      steps: [says(note), { kind: "close output", stream: "stdout" }, pauses(100), says("why", "stderr"), forever]
    })
    const first = await settled(client.responseForId("a", { what: "a" }))

    expect(first.at).toBe(250)
    expect(first.error).toBeInstanceOf(AgentClosed)
    expect(String(first.error)).toContain("before responding (1 other messages seen)\nstderr: why\n")
    expect((await settled(client.responseForId("a"))).at).toBe(250)
  })

  it("an agent that ends has said all by then (50)", async () => {
    const { client, settled } = await makeRawStage({
      steps: [pauses(70), says("why", "stderr"), { kind: "exit", code: 3 }]
    })
    const { at, error } = await settled(client.responseForId("a"))

    expect(at).toBe(70)
    expect(String(error)).toContain("stderr: why\n")
  })

  it("a wait for an agent whose output a descendant holds ends with the drain of its process (W15)", async () => {
    const { client, settled } = await makeRawStage({
      steps: [{ kind: "fork", script: silent, leaves: true, holds: ["stdout"] }]
    })
    const { at, error } = await settled(client.responseForId("a", { what: "a" }))

    expect(at).toBe(1_000)
    expect(String(error)).toContain("a: reading stdout failed (it had not ended when the drain bound was over)")
  })

  it("one waits at a time, and the other is told so (3.6)", async () => {
    const { client, settled } = await makeRawStage({ steps: [pauses(50), says(answer("a")), forever] })
    const first = client.responseForId("a")
    const second = await settled(client.responseForId("b", { what: "b" }))

    expect(second.at).toBe(0)
    expect(second.error).toBeInstanceOf(InvalidOption)
    expect(String(second.error)).toContain("b cannot be waited for: another wait goes on")
    expect(await settled(first)).toMatchObject({ at: 50, value: { id: "a" } })
  })

  it("silence is a success when its time is over, and a failure with the first line", async () => {
    const { client, settled } = await makeRawStage({ steps: [pauses(300), says("\n"), forever] })

    expect(await settled(client.expectSilence(200))).toEqual({ at: 200, value: undefined })
    const broken = await settled(client.expectSilence(200))
    expect(broken.at).toBe(300)
    expect(broken.error).toBeInstanceOf(ProtocolViolation)
    expect(broken.error).toMatchObject({ rule: "silence for 200 ms", line: "" })
  })

  it("a response that breaks a silence is there for who waits for it", async () => {
    const { client, settled } = await makeRawStage({ steps: [says(answer("a")), forever] })

    expect((await settled(client.expectSilence(200))).error).toBeInstanceOf(ProtocolViolation)
    expect(await settled(client.responseForId("a"))).toMatchObject({ value: { id: "a" } })
  })

  it("an agent that ends is not silent, but gone", async () => {
    const { client, settled } = await makeRawStage({ steps: [pauses(50)] })

    expect(await settled(client.expectSilence(200))).toMatchObject({ at: 50, error: { _tag: "AgentClosed" } })
  })

  it("a predicate that throws fails its wait alone, and what was read is answered", async () => {
    const request = line({ id: 1, method: "ask" })
    const { client, settled, written } = await makeRawStage({ steps: [says(`${request}\n${note}`), forever] })
    const failed = await settled(
      client.waitForMessage(() => {
        throw new Error("mine")
      })
    )

    expect(failed).toMatchObject({ at: 0, error: { message: "mine" } })
    expect(await settled(client.nextMessage())).toMatchObject({ value: { method: "n" } })
    expect(written()).toContain('"id":1,"error"')
  })

  it("requests are answered by their methods, or left to the test", async () => {
    const asks = ["read", "fail", "leave", "other"].map((method, id) => `${line({ id, method })}\n`)
    const { client, settled, written, clock, turns } = await makeRawStage(
      { steps: [says(asks.join("")), says(answer("a")), forever] },
      {
        answers: {
          read: ({ idToken }) => ({ result: { was: idToken } }),
          fail: () => {
            throw new Error("no")
          },
          leave: "leave",
          other: { error: { code: 7, message: "seven", data: [1] } }
        }
      }
    )
    await settled(client.responseForId("a"))
    clock.advance(1)
    await turns()

    expect(written().split("\n")).toEqual([
      '{"jsonrpc":"2.0","id":0,"result":{"was":"0"}}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}',
      '{"jsonrpc":"2.0","id":3,"error":{"code":7,"message":"seven","data":[1]}}',
      ""
    ])
    expect(client.refusals()).toEqual([])
  })

  it("chunks leave with the gaps that were asked for, and nothing between them (54)", async () => {
    const bytes = (text: string) => new TextEncoder().encode(text)
    const request = `${line({ id: 1, method: "ask" })}\n`
    const { client, settled, writes } = await makeRawStage({
      steps: [pauses(10), says(request), pauses(100), says(answer("a")), forever]
    })
    const sent = client.sendChunks([bytes("a"), bytes("b"), bytes("c\n")], { gapMs: 20 })
    const second = client.sendLine("second")
    await settled(client.responseForId("a"))
    await Promise.all([sent, second])

    expect(writes.map(({ at, text }) => `${at} ${text.slice(0, 6)}`)).toEqual([
      "0 a",
      "20 b",
      "40 c\n",
      "40 second",
      '40 {"json'
    ])
  })

  it("an input that was ended takes no more, and what was sent before goes out", async () => {
    const { client, settled, written } = await makeRawStage(silent)
    const sent = client.sendLine("last")
    const ended = client.endInput()
    const late = await settled(client.sendLine("late"))
    await Promise.all([sent, ended])

    expect(late.error).toBeInstanceOf(AgentInputClosed)
    expect(written()).toBe("last\n")
  })
})

describe("the end of a raw client", () => {
  it("is no crash for waits and sends that nobody looks at", async () => {
    const { client, settled } = await makeRawStage(silent)
    client.responseForId("a")
    await settled(client.close())
    client.sendLine("x")
    client.endInput()

    // An error that nobody handles fails the run of the tests.
    await new Promise(setImmediate)
  })

  const stubborn: SimScript = { steps: [forever], onTerminate: "ignore" }

  it("fails the wait that goes on", async () => {
    const { client, settled, releases } = await makeRawStage(silent)
    const wait = settled(client.responseForId("a", { what: "a" }))
    const { value } = await settled(client.close())

    expect((await wait).error).toBeInstanceOf(AgentClosed)
    expect(String((await wait).error)).toContain("a: the client of agent is closed")
    expect(value).toMatchObject({ exitCode: null, signal: "SIGTERM", reason: "GracefulTerminate" })
    expect(releases()).toBe(1)
  })

  it("gives an agent the time of its profile to end with its input, then asks it, then kills it", async () => {
    const { client, settled, machine } = await makeRawStage(stubborn)
    const { at, value } = await settled(client.close({ mode: "eof" }))

    expect(at).toBe(10_500)
    expect(value).toMatchObject({ signal: "SIGKILL", reason: "HardKillAfterGrace" })
    expect(machine.signals.slice(0, 2).map(({ at, signal }) => `${at} ${signal}`)).toEqual([
      "10000 SIGTERM",
      "10500 SIGKILL"
    ])
  })

  it("does not ask one that ends with its input", async () => {
    const { client, settled, machine } = await makeRawStage({ steps: [{ kind: "read" }, pauses(30)] })
    const { at, value } = await settled(client.close({ mode: "eof" }))

    expect([at, value]).toEqual([
      30,
      { exitCode: 0, signal: null, reason: "NaturalExit", stdoutTail: "", stderrTail: "" }
    ])
    expect(machine.signals.filter(({ signal }) => signal === "SIGTERM")).toEqual([])
  })

  it("is the same for all who ask for it, and a kill needs no patience", async () => {
    const { client, settled } = await makeRawStage(stubborn)
    const first = settled(client.close({ mode: "terminate" }))
    const second = settled(client.kill())

    expect(await first).toMatchObject({ at: 0, value: { signal: "SIGKILL" } })
    expect((await second).value).toBe((await first).value)
  })

  it("is a failure when its agent cannot be killed, and its sandbox is given back all the same", async () => {
    const { client, settled, releases } = await makeRawStage({ ...stubborn, killDelayMs: Number.POSITIVE_INFINITY })
    const { at, error } = await settled(client.kill())

    expect(at).toBe(5_000)
    expect(error).toBeInstanceOf(KillTimeout)
    expect(releases()).toBe(1)
  })
})
