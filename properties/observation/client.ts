import type { AnswerSource, TraceEvent } from "../../src/domain/trace-event.ts"
import type { VirtualConnection, VirtualResponse } from "../../src/sim.ts"
import type { RequestSpec } from "../model/command.ts"
import type { SentRequest } from "../model/request.ts"
import type { SeenEnding, SeenExchange } from "./observations.ts"
import { numberOf, type World } from "./world.ts"

/** A client with one request under way, and when it saw what. */
export interface Client {
  readonly request: RequestSpec | null
  readonly sent: SentRequest
  readonly command: number
  readonly at: number
  readonly askedIndex: number
  readonly connection: VirtualConnection
  readonly response: VirtualResponse
  readonly number: number | null
  readonly source: AnswerSource | null
  readonly expectation: number | null
  readonly seen: { headAt: number | null; wasLoggedFirst: boolean; ended: SeenEnding | null }
}

/** Sends a request on a connection of its own; `null` when the server refuses connections. */
export const send = (
  world: World,
  sent: SentRequest,
  options: { readonly request: RequestSpec | null; readonly command: number }
): Client | null => {
  const { clock, http } = world.virtual
  const windowBytes = options.request?.windowBytes ?? null
  const connection = connectOrNull(() => http.connect(windowBytes === null ? {} : { windowBytes }))
  if (connection === null) return null
  const askedIndex = world.trace.length
  const response = connection.request(sent)
  // The answer is decided in the same turn, and the trace says how.
  const facts = world.trace.slice(askedIndex)
  const asked = facts.find((fact) => fact.type === "request")
  const decision = facts.find((fact) => fact.type === "decision")
  const client: Client = {
    ...options,
    sent,
    at: clock.now(),
    askedIndex,
    connection,
    response,
    number: asked?.request ?? null,
    source: decision?.source ?? null,
    expectation: decision === undefined || decision.expectation === null ? null : numberOf(world, decision.expectation),
    seen: { headAt: null, wasLoggedFirst: false, ended: null }
  }
  look(world, client)
  response.watch(() => look(world, client))
  return client
}

const connectOrNull = (connect: () => VirtualConnection): VirtualConnection | null => {
  try {
    return connect()
  } catch {
    return null
  }
}

/** Notes the first byte and the end, at the moment they come. */
const look = (world: World, { response, number, expectation, seen }: Client): void => {
  const { clock, server } = world.virtual
  if (seen.headAt === null && response.status !== null) {
    seen.headAt = clock.now()
    seen.wasLoggedFirst = number !== null && server.requestCount() >= number
  }
  if (seen.ended === null && response.ended !== null) {
    const watched = expectation === null ? null : world.handles[expectation]
    const phase = watched?.handle.phase ?? null
    seen.ended = { how: response.ended, at: clock.now(), traceIndex: world.trace.length, phase }
  }
}

/** What a client received, as data. */
export const seenExchange = (client: Client, trace: ReadonlyArray<TraceEvent>): SeenExchange => {
  const { request, sent, command, at, number, askedIndex, source, expectation, response, seen } = client
  const settled = trace.find((event) => event.type === "settled" && event.request === number)
  return {
    request,
    sent,
    command,
    at,
    number,
    askedIndex,
    source,
    expectation,
    status: response.status,
    headers: response.headers,
    headAt: seen.headAt,
    pieces: response.pieces.map((piece) => ({ at: piece.at, text: textOf(piece.bytes) })),
    ended: seen.ended,
    settled: settled?.type === "settled" ? { as: settled.as, at: settled.at, index: settled.index } : null,
    wasLoggedFirst: seen.wasLoggedFirst
  }
}

const textOf = (bytes: string | Uint8Array): string =>
  typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes)
