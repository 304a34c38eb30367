import { InferenceRequestMatcher, ScriptedResponse, SseEvent, type TraceEvent } from "../../src/index.ts"
import { stream } from "../support/scripts.ts"
import { ask, traced } from "./asking.ts"
import { faultsOfBoth, quick } from "./fault-scenarios.ts"
import type { Scenario } from "./stage.ts"

const endpoints = ["ChatCompletions", "Responses", "Messages"] as const
const foreground = InferenceRequestMatcher.foreground(...endpoints)
const words = ["one", "two", "three", "four"]

/** Waits that a server gives, and whether they were met. */
const metOrNot = (wait: Promise<unknown>): Promise<string> => wait.then(() => "met", String)

const plain: Scenario = async (stage) => {
  const server = await stage.startServer()
  for (const endpoint of endpoints) {
    for (const asked of [false, true])
      await ask(stage, "ann", server.origin(), { endpoint, stream: asked, text: `Grüße 🌊 ${endpoint}` })
  }
}

const scripted: Scenario = async (stage) => {
  const server = await stage.startServer()
  server.expectResponse("first", foreground, stream(...words))
  server.expectResponse("second", foreground, ScriptedResponse.json(429, { error: "slow down" }))
  server.expectResponse("third", foreground, { ...stream(...words), splitBytes: 7 })
  server.expectResponse("fourth", foreground, ScriptedResponse.bytes(200, new Uint8Array([0, 255, 10, 200])))
  server.expectResponse("fifth", foreground, ScriptedResponse.empty(204))
  for (const id of ["1", "2", "3", "4", "5"]) await ask(stage, "ann", server.origin(), { id })
}

const duplicate: Scenario = async (stage) => {
  const server = await stage.startServer()
  const held = server.expectResponseBlocked("held", foreground, stream(...words))
  const first = ask(stage, "ann", server.origin(), { id: "one call", stream: true })
  await held.waitBlocked()
  const second = ask(stage, "bob", server.origin(), { id: "one call", stream: true })
  await held.waitClaims(2)
  held.release()
  await Promise.all([first, second])
  await held.waitDelivered()
  stage.tell("test", held.diagnostic())
  await ask(stage, "ann", server.origin(), { id: "one call", stream: true })
}

const barriers: Scenario = async (stage) => {
  const server = await stage.startServer()
  for (const endpoint of endpoints) {
    const handle = server.expectResponse(`held ${endpoint}`, foreground, stream(...words), {
      barriers: [{ at: "head", name: "door" }, { at: { afterEvent: 2 }, name: "middle" }, { at: "terminal" }]
    })
    const asked = ask(stage, "ann", server.origin(), { endpoint, id: endpoint, stream: true })
    for (const barrier of ["door", "middle", "terminal"]) {
      await handle.waitBlocked(barrier)
      stage.tell("test", `at ${barrier}: ${handle.phase}`)
      handle.release(barrier)
    }
    await asked
  }
}

const attempts: Scenario = async (stage) => {
  const server = await stage.startServer()
  const group = server.expectAttempts("turn", foreground, [
    ScriptedResponse.cut(stream(...words), { afterEvent: 3, ending: "rst" }),
    ScriptedResponse.cut(stream(...words), { afterEvent: 1, ending: "fin" }),
    ScriptedResponse.json(503, { error: "not yet" }),
    stream(...words)
  ])
  for (let attempt = 1; attempt <= 4; attempt++)
    await ask(stage, "ann", server.origin(), { id: "one call", stream: true })
  stage.tell("test", await metOrNot(group.waitSatisfied()))
  stage.tell("test", await metOrNot(Promise.resolve().then(() => server.verify())))
}

const leaver: Scenario = async (stage) => {
  const server = await stage.startServer()
  const held = server.expectResponseBlocked("held", foreground, stream(...words))
  const leave = new AbortController()
  const asked = ask(stage, "ann", server.origin(), { id: "ann", stream: true, signal: leave.signal })
  await held.waitBlocked()
  leave.abort()
  await asked
  stage.tell("test", await metOrNot(held.waitSatisfied()))
  await ask(stage, "bob", server.origin(), { id: "bob", stream: true })
  stage.tell("test", await metOrNot(Promise.resolve().then(() => server.verify())))
}

const strictMiss: Scenario = async (stage) => {
  const server = await stage.startServer({ strict: true })
  server.expectResponse("for agents", InferenceRequestMatcher.foreground("Responses"), stream(...words))
  for (const endpoint of endpoints) await ask(stage, "ann", server.origin(), { endpoint })
  await ask(stage, "ann", server.origin(), { endpoint: "Responses", id: "turn" })
  stage.tell("test", await metOrNot(Promise.resolve().then(() => server.verify())))
}

const heldCalls: Scenario = async (stage) => {
  const server = await stage.startServer({ sessions: {} })
  const both = server.gather(2)
  const first = ask(stage, "ann", server.origin(), { text: "ann", stream: true })
  await server.waitForRequest(({ number }) => number === 1)
  const second = ask(stage, "bob", server.origin(), { endpoint: "Messages", text: "bob" })
  const [one, two] = await both
  if (one === undefined || two === undefined) throw new Error("two calls were gathered")
  two.replyText("for bob")
  await second
  const stream = one.stream({ headers: [["x-by", "hand"]] })
  for (const text of words) {
    stream.write(SseEvent.data(text))
    await stream.drained()
  }
  stream.end()
  await first
  const next = server.next({ endpoint: "Responses" })
  const third = ask(stage, "ann", server.origin(), { endpoint: "Responses", text: "again" })
  ;(await next).proceed()
  await third
  const last = server.next()
  const fourth = ask(stage, "bob", server.origin(), { text: "hang up" })
  ;(await last).hangUp("rst")
  await fourth
}

const reuse: Scenario = async (stage) => {
  const server = await stage.startServer()
  server.setRequiredToken("secret")
  for (const text of ["one", "two"]) await ask(stage, "ann", server.origin(), { text })
  const authorization = "Bearer secret"
  await ask(stage, "ann", server.origin(), { text: "three", headers: { authorization } })
  await ask(stage, "ann", server.origin(), { text: "long ".repeat(20_000), stream: true, headers: { authorization } })
  await ask(stage, "ann", server.origin(), { text: "last", headers: { authorization, connection: "close" } })
}

const faults: Scenario = async (stage) => {
  const server = await stage.startServer()
  for (const endpoint of endpoints) {
    for (const name of faultsOfBoth) {
      const response = ScriptedResponse.fault(name, quick)
      server.expectResponse(`${name} ${endpoint}`, foreground, response)
      await ask(stage, "ann", server.origin(), { endpoint, id: `${name} ${endpoint}`, stream: true })
    }
  }
  await ask(stage, "ann", server.origin(), { headers: { "x-understudy-fault": "overloaded" } })
}

const silences: Scenario = async (stage) => {
  const server = await stage.startServer()
  const isLetGo = ({ type, ...event }: TraceEvent): boolean =>
    type === "step" && "event" in event && event.event === "client.gone"
  server.expectResponse(
    "stalls",
    foreground,
    ScriptedResponse.cut(stream(...words), { afterEvent: 2, ending: "stall" })
  )
  await ask(stage, "ann", server.origin(), { id: "1", stream: true, leavesAt: "two" })
  await traced(server, isLetGo)
  server.expectResponse("heartbeats", foreground, ScriptedResponse.fault("comment_stall", quick))
  const counted = server.traceEvents().length
  await ask(stage, "bob", server.origin(), { id: "2", stream: true, leavesAt: ":" })
  await traced(server, (event) => event.index >= counted && isLetGo(event))
  await ask(stage, "ann", server.origin(), { id: "3" })
}

/** By what they are about. */
export const inferenceScenarios: Readonly<Record<string, Scenario>> = {
  "plain and streamed echoes of three APIs": plain,
  "scripted answers of every kind": scripted,
  "an overlapping duplicate": duplicate,
  "barriers with release, in three APIs": barriers,
  "attempts: reset after event 3, cut, error, answer": attempts,
  "a client that leaves": leaver,
  "strict misses": strictMiss,
  "calls in the hand of the test": heldCalls,
  "a connection that is used again": reuse,
  "faults of the catalogue": faults,
  "silences that clients leave": silences
}
