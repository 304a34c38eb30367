import { expect, it } from "vitest"
import { InvalidOption, type LogEntry, type TraceEvent, WaitEnded } from "../../src/index.ts"
import { startVirtualServer } from "../../src/sim.ts"

const ask = (world: ReturnType<typeof startVirtualServer>, model: string): void => {
  world.http.connect().request({
    method: "POST",
    target: "/v1/chat/completions",
    headers: [["content-type", "application/json"]],
    body: JSON.stringify({ model })
  })
  world.clock.settle()
}

const isModel = (model: string) => (entry: { readonly body: unknown }) =>
  JSON.stringify(entry.body) === JSON.stringify({ model })

it("waiting for a request finds one that has come, and one that comes later", async () => {
  const world = startVirtualServer()
  ask(world, "a")

  const later = world.server.waitForRequest(isModel("b"))
  const earlier = await world.server.waitForRequest(isModel("a"))
  ask(world, "x")
  ask(world, "b")

  expect([earlier.number, (await later).number]).toEqual([1, 3])
})

it("a wait for a request that never comes ends with the server, and says what came", async () => {
  const world = startVirtualServer()
  const wait = world.server.waitForRequest(isModel("b"))
  ask(world, "a")

  const closing = world.server.close()
  world.clock.settle()

  await expect(wait).rejects.toThrow(WaitEnded)
  await expect(wait).rejects.toThrow("came: #1 POST /v1/chat/completions")
  await closing
})

it.each([
  ["kind", (entry: LogEntry) => entry.kind === "auxiliary"],
  ["source", (entry: LogEntry) => entry.answer.source === "mode"],
  ["outcome", (entry: LogEntry) => entry.answer.outcome === "completed"]
])("a wait may look at the %s of a request that is still to come", async (_, accepts) => {
  const world = startVirtualServer()
  const wait = world.server.waitForRequest(accepts)
  ask(world, "a")

  expect((await wait).number).toBe(1)
})

it("a predicate that throws ends its wait and harms nobody", async () => {
  const world = startVirtualServer()
  const wait = world.server.waitForRequest(() => {
    throw new Error("what is this")
  })
  ask(world, "a")

  await expect(wait).rejects.toThrow("what is this")
  expect(world.server.requestCount()).toBe(1)
})

it.each([
  ["a promise", () => Promise.reject(new Error("too late")), "the predicate of waitForRequest gave a promise"],
  ["no answer", () => {}, "gave undefined; it must answer true or false"]
])("a predicate that gives %s accepts nothing, and its wait says so", async (_, predicate, message) => {
  const world = startVirtualServer()
  const wait: Promise<unknown> = Reflect.apply(world.server.waitForRequest, world.server, [predicate])
  ask(world, "a")

  await expect(wait).rejects.toThrow(InvalidOption)
  await expect(wait).rejects.toThrow(message)
})

it("a predicate that is none is refused at once", async () => {
  const { server } = startVirtualServer()

  await expect(Reflect.apply(server.waitForRequest, server, [5])).rejects.toThrow(
    new InvalidOption("waitForRequest(accepts): accepts is 5; use a function that answers true or false at once")
  )
})

it("the trace can be read as it happens, to its end", async () => {
  const world = startVirtualServer()
  const seen: Array<TraceEvent["type"]> = []
  const reading = (async () => {
    for await (const event of world.server.traceStream()) seen.push(event.type)
  })()
  ask(world, "a")
  const closing = world.server.close()
  world.clock.settle()
  await closing
  await reading

  expect(seen.filter((type) => type !== "step")).toEqual(["request", "decision", "settled", "ended", "closed"])
})

it("a reader of the trace that stops is forgotten, and one that falls behind is told", async () => {
  const world = startVirtualServer()
  const stopped = world.server.traceStream()
  await stopped.return?.()
  const slow = world.server.traceStream()
  for (let count = 0; count < 2_000; count++) ask(world, "a")

  expect(await stopped.next()).toEqual({ done: true, value: undefined })
  const drain = async () => {
    for await (const _ of slow) void _
  }
  await expect(drain()).rejects.toThrow("events behind")
})
