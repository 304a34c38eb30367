import type { Barrier } from "../../src/domain/barrier.ts"
import type { BarrierPlace, Command, ScriptFault } from "../model/command.ts"
import { pathOf, type SentRequest, sentRequest } from "../model/request.ts"
import { faultyResponse, scriptedResponse } from "../model/script.ts"
import type { Call } from "./calls.ts"
import { type Client, send } from "./client.ts"
import { expectationLabel, queueLabel } from "./labels.ts"
import { set } from "./settings.ts"
import { momentOf, type World } from "./world.ts"

/** Carries out one command and notes what could be seen before and after. */
export const perform = (world: World, call: Call, isQuiet: boolean): void => {
  const last = world.done.at(-1)?.after
  const before = last?.traceIndex === world.trace.length ? last : momentOf(world)
  const at = world.virtual.clock.now()
  const error = messageOf(() => act(world, call))
  world.done.push({ ...call, at, isQuiet, error, before, after: momentOf(world), kept: keptNow(world) })
}

/** The log is read after every few commands: it makes an entry for each request. */
const keptEvery = 4

const keptNow = ({ virtual: { server }, done }: World): ReadonlyArray<number> | null =>
  done.length % keptEvery === 0 ? server.requests().map((entry) => entry.number) : null

const messageOf = (task: () => void): string | null => {
  try {
    task()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const act = (world: World, { command, number }: Call): void => {
  const { server } = world.virtual
  switch (command.type) {
    case "register":
      register(world, command, number)
      return
    case "misregister":
      misregister(world, command)
      return
    case "request":
    case "stray":
    case "resource":
      world.clients[number] = sendFor(world, command)
      return
    case "omitted":
      return
    case "disconnect":
      leave(world.clients[command.exchange])
      return
    case "read":
      world.clients[command.exchange]?.response.read()
      return
    case "release":
      world.handles[command.expectation]?.handle.release(command.barrier ?? undefined)
      return
    case "dispose":
      world.handles[command.expectation]?.handle[Symbol.dispose]()
      return
    case "retire":
      world.handles[command.expectation]?.handle.retire()
      return
    case "enqueue": {
      const path = command.queue === "Settings" ? "/v1/settings" : pathOf(command.queue)
      server.enqueueResponse(path, scriptedResponse(command.script, queueLabel(world.enqueued++)))
      return
    }
    case "close":
      close(world, command.drainMs)
      return
    default:
      set(world, command)
      return
  }
}

const register = (world: World, command: Extract<Command, { type: "register" }>, number: number): void => {
  const { server } = world.virtual
  const { name, matcher, script, barriers } = command
  const registeredIndex = world.trace.length
  const response = scriptedResponse(script, expectationLabel(number))
  const isBlocked = barriers.length === 1 && barriers[0] === "terminal"
  const handle = isBlocked
    ? server.expectResponseBlocked(name, matcher, response)
    : server.expectResponse(name, matcher, response, { barriers: barriers.map(barrierAt) })
  // What the test edits afterwards is not served.
  response.status = 599
  response.headers.length = 0
  world.handles[number] = { name, handle, registeredIndex, phases: [] }
}

const barrierAt = (place: BarrierPlace): Barrier => ({ at: typeof place === "number" ? { afterEvent: place } : place })

const misregister = (world: World, command: Extract<Command, { type: "misregister" }>): void => {
  const { server } = world.virtual
  const { name, matcher, fault, place } = command
  const response = faultyResponse(fault, "faulty")
  if (place === "queue") server.enqueueResponse(pathOf(matcher.endpoint), response)
  else server.expectResponse(name, matcher, response, { barriers: faultyBarriers[fault] ?? [] })
}

const faultyBarriers: Readonly<Partial<Record<ScriptFault, ReadonlyArray<Barrier>>>> = {
  position: [{ at: { afterEvent: 2 } }],
  noBody: [{ at: { afterEvent: 0 } }],
  twice: [{ at: "terminal" }, { at: "head", name: "terminal" }]
}

const sendFor = (
  world: World,
  command: Extract<Command, { type: "request" | "stray" | "resource" }>
): Client | null => {
  const noted = { request: null, command: world.done.length }
  switch (command.type) {
    case "request":
      return send(world, sentRequest(command.request), { ...noted, request: command.request })
    case "stray":
      return send(world, strays[command.stray](sentRequest(command.request)), noted)
    case "resource":
      return send(world, { method: "GET", target: `/v1/${command.resource}`, headers: [], body: "" }, noted)
  }
}

const strays: Readonly<Record<"path" | "method" | "type" | "body", (sent: SentRequest) => SentRequest>> = {
  path: (sent) => ({ ...sent, target: `${sent.target.split("?")[0]}/` }),
  method: (sent) => ({ ...sent, method: "PUT" }),
  type: (sent) => ({ ...sent, headers: sent.headers.filter(([name]) => name !== "content-type") }),
  body: (sent) => ({ ...sent, body: `${sent.body}]` })
}

const leave = (client: Client | null | undefined): void => {
  if (client?.connection.isOpen === true) client.connection.disconnect()
}

const close = (world: World, drainMs: number): void => {
  const { server } = world.virtual
  world.closing ??= "asked"
  server.close({ drainMs }).then(({ blocked }) => {
    world.closing = { blocked }
  })
}
