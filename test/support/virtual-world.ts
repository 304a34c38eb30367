import type { InferenceEndpoint } from "../../src/domain/endpoint.ts"
import { firstHeader, type Header } from "../../src/domain/request.ts"
import type { SseEvent } from "../../src/domain/sse-event.ts"
import {
  type ConnectOptions,
  startVirtualServer,
  type VirtualRequest,
  type VirtualResponse,
  type VirtualServer
} from "../../src/sim.ts"
import { readEvents } from "../../src/wire/sse-reader.ts"
import { auxiliaryRequest, foregroundRequest, jsonRequest, type RequestEdits } from "./requests.ts"

/** One request of a virtual client and what has come back so far. */
export interface Call {
  readonly response: VirtualResponse
  readonly status: number | null
  readonly isComplete: boolean
  /** The body so far. */
  text(): string
  /** The body, which has to be JSON. */
  json(): unknown
  /** The complete SSE events so far. */
  events(): ReadonlyArray<SseEvent>
  header(name: string): string | undefined
  /** The client goes away. */
  leave(): void
}

/** A server in virtual time and its clients, each on a connection of its own. */
export interface World extends VirtualServer {
  send(request: VirtualRequest, options?: ConnectOptions): Call
  get(target: string, headers?: ReadonlyArray<Header>): Call
  post(target: string, body: unknown, headers?: ReadonlyArray<Header>): Call
  foreground(endpoint: InferenceEndpoint, id: string, text: string, edits?: RequestEdits): Call
  auxiliary(text: string, edits?: RequestEdits): Call
}

/** Starts a server in profile compact, unless told otherwise. Sending settles what is due, and lets no time pass. */
export const startWorld = (options: Parameters<typeof startVirtualServer>[0] = {}): World => {
  const virtual = startVirtualServer({ profile: "compact", ...options })
  const { http, clock } = virtual
  const send = (request: VirtualRequest, connectOptions?: ConnectOptions): Call => {
    const connection = http.connect(connectOptions)
    const response = connection.request(request)
    clock.settle()
    return callOf(response, () => {
      connection.disconnect()
      clock.settle()
    })
  }
  return {
    ...virtual,
    send,
    get: (target, headers = []) => send({ method: "GET", target, headers }),
    post: (target, body, headers) => send(jsonRequest(target, body, headers)),
    foreground: (endpoint, id, text, edits) => send(foregroundRequest(endpoint, id, text, edits)),
    auxiliary: (text, edits) => send(auxiliaryRequest(text, edits))
  }
}

const callOf = (response: VirtualResponse, leave: () => void): Call => ({
  response,
  get status() {
    return response.status
  },
  get isComplete() {
    return response.isComplete
  },
  text: () => response.text(),
  json: () => JSON.parse(response.text()),
  events: () => readEvents(response.text()),
  header: (name) => firstHeader(response.headers, name),
  leave
})
