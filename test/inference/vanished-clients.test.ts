import { expect, it } from "vitest"
import type { Barrier } from "../../src/domain/barrier.ts"
import { endpointPaths } from "../../src/domain/endpoint.ts"
import { makeFifo } from "../../src/domain/fifo.ts"
import { InferenceRequestMatcher, type ScriptedResponse } from "../../src/index.ts"
import { wireResponse } from "../../src/serving/scripted-plan.ts"
import { stream } from "../support/scripts.ts"
import { startCore } from "../support/virtual-core.ts"

const clients = 50
const long = "x".repeat(100_000)

type Core = ReturnType<typeof startCore>

const expecting = (response: ScriptedResponse, barriers: ReadonlyArray<Barrier>) => (core: Core) => {
  const matcher = InferenceRequestMatcher.foreground("ChatCompletions")
  core.core.book.register([{ name: "call", matcher, response, barriers }])
}

const queueing = (response: ScriptedResponse) => (core: Core) => {
  const ready = wireResponse(response, "compact")
  core.state.queues.set(endpointPaths.ChatCompletions, makeFifo(Array(clients).fill(ready)))
}

it.each<readonly [string, (core: Core) => void, { readonly windowBytes: number } | undefined]>([
  ["at a barrier before the head", expecting(stream("a", "b"), [{ at: "head" }]), undefined],
  ["at a barrier before the end", expecting(stream("a", "b"), [{ at: "terminal" }]), undefined],
  ["at the completion gate", (core) => core.core.gate.hold(), undefined],
  ["during a pause", (core) => Object.assign(core.state, { chunkDelayMs: 1_000 }), undefined],
  ["in the middle of a write that they do not read", queueing(stream(long, long, "end")), { windowBytes: 1_000 }],
  ["in a stall", queueing({ ...stream("a"), ending: "stall" }), undefined]
])("clients that vanish %s leave nothing behind", (_, prepare, options) => {
  const core = startCore()
  prepare(core)
  const pending = core.supervisor.alive()
  const calls = Array.from({ length: clients }, () => core.turn("same", options))
  expect(core.app.copies().size).toBe(clients)

  for (const { leave } of calls) leave()
  core.clock.settle()

  expect(calls.map(({ response }) => response.isComplete)).not.toContain(true)
  expect(core.app.copies().size).toBe(0)
  expect(core.core.gate.waiting()).toBe(0)
  expect(core.http.connections()).toBe(0)
  expect(core.clock.armed()).toBe(0)
  // The gate stays, and so does nothing else: the expectation has settled.
  expect(core.supervisor.alive()).toBe(1)
  expect(pending).toBeLessThanOrEqual(2)
  expect(core.core.book.unsettled()).toEqual([])
})

it("the gate keeps nothing of those that it let go", () => {
  const core = startCore()
  core.core.gate.hold()
  const calls = ["1", "2"].map((id) => core.turn(id))
  expect(core.core.gate.waiting()).toBe(2)

  core.core.gate.release()
  core.clock.settle()

  expect(calls.map(({ response }) => response.isComplete)).toEqual([true, true])
  expect([core.core.gate.waiting(), core.app.copies().size, core.clock.armed()]).toEqual([0, 0, 0])
})

it("replays that vanish one after the other are not kept by the call that goes on", () => {
  const core = startCore()
  expecting(stream("a", "b"), [{ at: "terminal" }])(core)
  const primary = core.turn("same")
  for (let n = 0; n < clients; n++) core.turn("same").leave()

  const [expectation] = core.core.book.unsettled()

  expect(expectation?.snapshot.context).toMatchObject({ active: 1, claims: clients + 1 })
  expect(expectation?.data.progress.waiting.get("terminal")?.size).toBe(1)
  expect(core.app.copies().size).toBe(1)
  expect(primary.response.isComplete).toBe(false)
})
