import type { VirtualConnection, VirtualResponse } from "../../src/sim/virtual-http.ts"
import { type FaultAsk, requestOf } from "../model/fault-ask.ts"
import type { FaultModel } from "../model/fault-model.ts"
import type { SeenConnect, SeenDecision, SeenFault, SeenPiece, ServerView } from "./fault-run.ts"
import type { FaultWorld } from "./fault-world.ts"

/** A client with one request under way. */
export interface FaultClient {
  readonly ask: FaultAsk
  readonly connection: VirtualConnection
  readonly windowBytes: number | null
  readonly response: VirtualResponse
  /** The rest of its request; nothing when that has come. */
  arrive: (() => void) | null
  decision: SeenDecision | null
  leftAt: number | null
  chunksWhenLeft: number | null
  firstByte: SeenFault["firstByte"]
}

/** All clients of a run. */
export interface FaultClients {
  readonly list: ReadonlyArray<FaultClient>
  readonly connects: ReadonlyArray<SeenConnect>
  /** Nothing happens when the connect is refused. */
  ask(ask: FaultAsk): void
  arrive(client: number): void
  leave(client: number): void
  read(client: number): void
}

export const makeFaultClients = (world: FaultWorld, model: FaultModel): FaultClients => {
  const { server, clock, http, slow } = world
  const list: Array<FaultClient> = []
  const connects: Array<SeenConnect> = []
  const windows = new Map<VirtualConnection, number | null>()

  const connect = (windowBytes: number | null): VirtualConnection | null => {
    const lastTold = lastTurn(world)
    const isClosing = world.closings.length > 0
    const connection = connectOrNull(() => http.connect(windowBytes === null ? {} : { windowBytes }))
    connects.push({ isRefused: connection === null, isClosing, lastTold })
    if (connection !== null) windows.set(connection, windowBytes)
    return connection
  }
  const kept = (): VirtualConnection | null => {
    if (lastTurn(world) === "unavailable" || world.closings.length > 0) return null
    const busy = new Set(list.flatMap(({ response, connection }) => (response.isComplete ? [] : [connection])))
    return [...windows.keys()].findLast((connection) => connection.isOpen && !busy.has(connection)) ?? null
  }
  const decided = (client: FaultClient, before: ServerView): void => {
    client.arrive = null
    client.decision = { at: clock.now(), expected: model.decide(client.ask), before, after: viewOf(world) }
    look(client)
  }
  const look = (client: FaultClient): void => {
    const { response, decision, firstByte } = client
    const attempt = decision?.expected.kind === "accepted" ? decision.expected.attempt : null
    if (attempt === null || firstByte !== null || response.pieces.length === 0) return
    const isTold = world.told.some(({ event }) => event.type === "request" && event.attempt === attempt)
    client.firstByte = { isListed: server.requests.length >= attempt, isTold, hasHead: response.status !== null }
  }
  return {
    list,
    connects,
    ask(ask) {
      const connection = (ask.isOnKept ? kept() : null) ?? connect(ask.windowBytes)
      if (connection === null) return
      const before = viewOf(world)
      const { asked: response, arrive } = slow.slowly(() => connection.request(requestOf(ask)))
      const windowBytes = windows.get(connection) ?? null
      const client: FaultClient = { ...unseen, ask, connection, windowBytes, response, arrive }
      list.push(client)
      response.watch(() => {
        world.look()
        look(client)
      })
      // What fails a gate of the head is not waited for.
      if (response.status !== null) decided(client, before)
      else if (!ask.isSlow) arriveNow(client)
    },
    arrive(index) {
      const client = list[index % list.length]
      if (client !== undefined) arriveNow(client)
    },
    leave(index) {
      const { connection } = list[index % list.length] ?? {}
      if (connection?.isOpen !== true) return
      connection.disconnect()
      world.look()
      for (const client of list.filter((other) => other.connection === connection)) {
        client.leftAt = clock.now()
        client.chunksWhenLeft = chunksOf(world, client)
      }
    },
    read(index) {
      list[index % list.length]?.response.read()
    }
  }

  function arriveNow(client: FaultClient): void {
    const { arrive, connection } = client
    if (arrive === null || !connection.isOpen) return
    const before = viewOf(world)
    arrive()
    decided(client, before)
  }
}

const unseen = { decision: null, leftAt: null, chunksWhenLeft: null, firstByte: null }

const connectOrNull = (connect: () => VirtualConnection): VirtualConnection | null => {
  try {
    return connect()
  } catch {
    return null
  }
}

const lastTurn = ({ told }: FaultWorld): SeenConnect["lastTold"] => {
  const last = told.findLast(({ event: { type } }) => type === "unavailable" || type === "available")
  const type = last?.event.type
  return type === "unavailable" || type === "available" ? type : null
}

const viewOf = ({ server, told }: FaultWorld): ServerView => ({
  lanes: server.lanes(),
  records: server.requests.length,
  told: told.length
})

const recordOf = ({ server }: FaultWorld, { decision }: FaultClient) =>
  decision?.expected.kind === "accepted" ? (server.requests[decision.expected.attempt - 1] ?? null) : null

const chunksOf = (world: FaultWorld, client: FaultClient): number | null => recordOf(world, client)?.chunksSent ?? null

const utf8 = new TextEncoder()

/** What a client has seen, as data. */
export const seenFault = (world: FaultWorld, client: FaultClient): SeenFault => {
  const { ask, windowBytes, decision, response, leftAt, chunksWhenLeft, firstByte } = client
  return {
    ask,
    windowBytes,
    decision,
    record: recordOf(world, client),
    status: response.status,
    headers: response.headers,
    pieces: response.pieces.map(
      ({ at, bytes, isUnframed = false }): SeenPiece => ({
        at,
        bytes: typeof bytes === "string" ? utf8.encode(bytes) : bytes,
        isUnframed
      })
    ),
    ended: response.ended,
    leftAt,
    chunksWhenLeft,
    firstByte
  }
}
