import type { RequestClass } from "../../src/domain/classification.ts"
import type { Command, RequestSpec } from "../model/command.ts"
import { extraCall } from "./calls.ts"
import { perform } from "./perform.ts"
import { settlePromises } from "./wait.ts"
import type { World } from "./world.ts"

/** A stream of the domain is over after this many rounds, however slow its reader and its pace. */
const roundsMax = 120
const roundMs = 5_000

/** More than a history can have pending or queued for one class. */
const askedMax = 60

/**
 * Opens everything and reads everything, until all answers are out; then asks each class until nothing but the mode is
 * left to answer, so that whatever was consumed shows.
 */
export const drain = async (world: World): Promise<void> => {
  add(world, { type: "open" }, false)
  world.handles.forEach((_, expectation) => {
    add(world, { type: "release", expectation, barrier: null }, false)
  })
  add(world, { type: "delay", ms: null }, false)
  add(world, { type: "requireKey", on: false }, false)
  add(world, { type: "hang", on: false }, false)
  await readOut(world)
  for (const { endpoint, kind } of classesOf(world)) {
    await askOut(world, { ...plainRequest, endpoint, headers: kind === "foreground" ? "turn" : "none" })
  }
  for (let asked = 0; asked < askedMax && lastStatus(world) !== 404; asked++) {
    add(world, { type: "resource", resource: "settings" }, true)
    await settle(world)
  }
  add(world, { type: "close", drainMs: 0 }, true)
}

const add = (world: World, command: Command, isQuiet: boolean): void =>
  perform(world, extraCall(world, command), isQuiet)

/** A request without identity, for whatever is left. */
const plainRequest: RequestSpec = {
  endpoint: "ChatCompletions",
  headers: "none",
  id: "a",
  body: "plain",
  tools: 0,
  streams: true,
  spelling: 0,
  key: "none",
  windowBytes: null
}

/** The classes for which something can be left: turns are for any foreground request. */
const classesOf = ({ done }: World): ReadonlyArray<RequestClass> => {
  const classes: Array<RequestClass> = [{ endpoint: "ChatCompletions", kind: "foreground" }]
  for (const { command, error } of done) {
    if (error !== null) continue
    const left =
      command.type === "register"
        ? command.matcher
        : command.type === "enqueue" && command.queue !== "Settings"
          ? { endpoint: command.queue, kind: "foreground" as const }
          : null
    const isNew =
      left !== null && !classes.some((known) => known.endpoint === left.endpoint && known.kind === left.kind)
    if (isNew) classes.push(left)
  }
  return classes
}

const settle = async (world: World): Promise<void> => {
  world.virtual.clock.settle()
  await settlePromises()
}

const readOut = async (world: World): Promise<void> => {
  await settle(world)
  for (let round = 0; round < roundsMax && world.clients.some(isUnderWay); round++) {
    world.clients.forEach((client, exchange) => {
      if (client?.request?.windowBytes !== null && isUnderWay(client)) {
        add(world, { type: "read", exchange }, false)
      }
    })
    world.virtual.clock.advance(roundMs)
    await settlePromises()
  }
}

const isUnderWay = (client: World["clients"][number] | undefined): boolean =>
  // Resources are answered at once or hang for ever.
  client?.connection.isOpen === true && client.request !== null && client.response.ended === null

const askOut = async (world: World, request: RequestSpec): Promise<void> => {
  for (let asked = 0; asked < askedMax; asked++) {
    add(world, { type: "request", request }, true)
    await settle(world)
    if (world.clients.at(-1)?.source === "mode") return
  }
}

const lastStatus = (world: World): number | null | undefined => world.clients.at(-1)?.response.status

/** Lets a server that is closing come to its end. */
export const runOut = async (world: World): Promise<void> => {
  const drains = world.done.map(({ command }) => (command.type === "close" ? command.drainMs : 0))
  await settle(world)
  world.virtual.clock.advance(Math.max(0, ...drains))
  await settle(world)
}
