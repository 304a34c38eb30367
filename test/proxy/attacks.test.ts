import { describe, expect, test } from "vitest"
import { readPlan } from "../../src/proxy/plan/read-plan.ts"
import { startFaultProxy } from "../../src/proxy/start-fault-proxy.ts"
import { liveStreamWorld } from "../ports/live-stream-world.ts"
import { simStreamWorld } from "../ports/sim-stream-world.ts"
import { connect, right } from "../ports/stream-world.ts"
import { frame, over, proxyRun, supervisorOf } from "./proxy-world.ts"

/*
 * What was found by those who tried to break it. Each was seen to fail before it was mended.
 */

describe("a rule whose test throws", () => {
  test("cuts the connection, says why, and spares the others", async () => {
    const fails = (content: unknown): boolean => Reflect.get(Object(content), "a").b
    const plan = { rules: [{ connection: 1, match: { test: fails }, action: "drop" }] } as const
    const { world, proxy, echoed } = await proxyRun(simStreamWorld()(), { plan })
    const [first, second] = [await echoed(), await echoed()]

    await world.settled(first.write(Buffer.concat([frame("{}"), frame("{}")])))
    await world.settled(over(first))
    await world.settled(second.write(frame("{}")))
    await world.settled(second.has(6))

    expect(proxy.events().find(({ type }) => type === "frame error")).toMatchObject({
      connection: 1,
      reason: expect.stringMatching(/^frame 1: a rule has failed: .*reading 'b'/)
    })
    const [report] = proxy.connections()
    expect(report).toMatchObject({ state: "severed", clientToLeader: { received: 1, discarded: 1, delivered: 0 } })
    await world.settled(proxy.stop())
  })
})

test("pieces of a frame leave room for others: another connection is served before a thousand have gone", async () => {
  const plan = { rules: [{ connection: 1, action: { type: "splitWrites", chunkSizes: [1] } }] } as const
  const { world, proxy, through } = await proxyRun(liveStreamWorld(), { plan })
  const [slow, other] = [await through(), await through()]
  await world.settled(Promise.all([slow.client.write(frame("x".repeat(20_000))), other.client.write(frame("quick"))]))

  await world.settled(other.upstream.has(frame("quick").length))

  expect(slow.upstream.received()).toBeLessThan(20_004)
  await world.settled(slow.upstream.has(20_004))
  expect(slow.upstream.text().slice(4)).toBe("x".repeat(20_000))
  await world.settled(proxy.stop())
})

test("of three that find the same stale socket, one listens, and goes on listening", async () => {
  const world = liveStreamWorld()
  const path = world.freshPath()
  await world.putStale(path)
  const start = () =>
    startFaultProxy(
      { ...supervisorOf(world), streams: world.streams, clock: world.clock },
      { listen: { kind: "unix", path }, upstream: { kind: "unix", path: world.freshPath() } }
    )

  const started = await Promise.allSettled([start(), start(), start()])

  const [proxy, ...more] = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []))
  expect(more).toEqual([])
  expect(started.flatMap((one) => (one.status === "rejected" ? [one.reason.name] : []))).toEqual([
    "ProxyBindFailed",
    "ProxyBindFailed"
  ])
  right(await connect(world.streams, { kind: "unix", path }))
  await proxy?.waitForConnections(1)
  await proxy?.stop()
})

describe("plans that are none", () => {
  test.each([
    ["a map", new Map([["dropFrame", 1]]), "give an object"],
    ["a date", new Date(0), "give an object"],
    [
      "a function where data is compared",
      { rules: [{ match: { where: { "/a": () => 1 } }, action: "drop" }] },
      "use JSON"
    ],
    ["no number", { rules: [{ match: { where: { "/a": Number.NaN } }, action: "drop" }] }, "use JSON"],
    ["a list without end", { rules: nested(50_000) }, "cannot be written as JSON"]
  ])("%s", (_, plan, message) => {
    expect(() => readPlan(plan)).toThrow(
      expect.objectContaining({ _tag: "InvalidOption", message: expect.stringContaining(message) })
    )
  })
})

function nested(levels: number): unknown {
  let value: unknown = []
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

test("what is no argument of a handle is refused with advice", async () => {
  const { world, proxy } = await proxyRun(simStreamWorld()())
  const call = (name: keyof typeof proxy, ...args: ReadonlyArray<unknown>): unknown =>
    Reflect.apply(Object(proxy[name]), proxy, args)

  expect(() => call("pause", "clientToLeader", Number.NaN)).toThrow("the connection is NaN; give a whole number")
  expect(() => call("release", undefined)).toThrow("the barrier is missing; it is a text")
  expect(() => call("watch", null)).toThrow("what sees events is null; give a function")
  const rules = proxy.rules()
  expect(proxy.rules()).not.toBe(rules)
  await world.settled(proxy.stop())
})
