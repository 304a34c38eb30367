import type { Phase } from "../../src/domain/phase.ts"
import type { TraceEvent } from "../../src/domain/trace-event.ts"
import type { ExpectationHandle } from "../../src/inference/expectation-handle.ts"
import type { VirtualServer } from "../../src/sim.ts"
import { type History, registers, sends } from "../model/command.ts"
import type { Client } from "./client.ts"
import type { Done, Moment, SeenPhase, SeenWait } from "./observations.ts"

/** A handle under observation. */
export interface Watched {
  readonly name: string
  readonly handle: ExpectationHandle
  readonly registeredIndex: number
  readonly phases: Array<SeenPhase>
}

/** A server and all that is kept about it while a history runs. */
export interface World {
  readonly virtual: VirtualServer
  readonly trace: Array<TraceEvent>
  readonly done: Array<Done>
  /** By the number of the command that registers or sends. */
  readonly handles: Array<Watched | null>
  readonly clients: Array<Client | null>
  readonly waits: Array<SeenWait>
  closing: { readonly blocked: ReadonlyArray<string> } | "asked" | null
  /** How many scripts were queued, for their labels. */
  enqueued: number
}

/** Watches a fresh server, on which these steps will be carried out. */
export const makeWorld = (virtual: VirtualServer, steps: History["steps"]): World => {
  const world: World = {
    virtual,
    trace: [...virtual.server.traceEvents()],
    done: [],
    handles: steps.filter(({ command }) => registers(command)).map(() => null),
    clients: steps.filter(({ command }) => sends(command)).map(() => null),
    waits: [],
    closing: null,
    enqueued: 0
  }
  virtual.server.watchTrace((event) => {
    world.trace.push(event)
    if (event.type === "phase") notePhase(world, event.expectation, event)
  })
  return world
}

const notePhase = (
  world: World,
  name: string,
  event: { readonly phase: Phase; readonly at: number; readonly index: number }
): void => {
  const { phase, at, index } = event
  const requestCount = world.virtual.server.requestCount()
  world.handles[numberOf(world, name) ?? -1]?.phases.push({ phase, at, index, requestCount })
}

/** A name belongs to the newest expectation that has it: an older one has settled. */
export const numberOf = ({ handles }: World, name: string): number | null => {
  let newest: number | null = null
  handles.forEach((watched, number) => {
    const isNewer = watched !== null && watched.registeredIndex > (handles[newest ?? -1]?.registeredIndex ?? -1)
    if (isNewer && watched.name === name) newest = number
  })
  return newest
}

/** What can be seen now. */
export const momentOf = (world: World): Moment => ({
  traceIndex: world.trace.length,
  phases: world.handles.map((watched) => watched?.handle.phase ?? null),
  claims: world.handles.map((watched) => watched?.handle.claims ?? 0),
  requestCount: world.virtual.server.requestCount(),
  pieces: world.clients.map((client) => client?.response.pieces.length ?? 0),
  heads: world.clients.map((client) => client !== null && client.response.status !== null),
  ends: world.clients.map((client) => client !== null && client.response.ended !== null)
})
