import type { ClientRequest } from "./transport-call.ts"
import type { ResponseHead } from "./transport-messages.ts"

/** How a request is over for its client: the answer ended as HTTP has it, it failed, or the client gave it up. */
export type RequestEnd = "end" | "cut" | "left"

/** Who is told what becomes of one request. Nothing follows `ended`. */
export interface RequestWatch {
  /** The server takes it, or its last part, in `take`: what it says while that lasts is about this request. */
  arriving(take: () => void): void
  answered(head: ResponseHead): void
  data(bytes: Uint8Array): void
  ended(how: RequestEnd): void
}

/**
 * Somebody who sees the requests of simulated clients from outside, and changes nothing.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface ClientWatch {
  /** Called in the moment at which the client sends it, by code of the client. */
  sent(client: string, request: ClientRequest): RequestWatch
}

/** Whose the requests are that are read off the bytes of one connection. */
export interface ConnectionWatch {
  /**
   * The first bytes of a request leave over this socket, in the code that writes them; what it gives is called when the request
   * can be told of.
   */
  begun(socket: object): (request: ClientRequest) => RequestWatch
}

/**
 * Somebody who sees the connections of bytes of simulated clients from outside, and changes nothing.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface DialWatch {
  /** The client has a way to dial from now on; what it gives is called whenever it dials, by the code that does. */
  connector(client: string): () => ConnectionWatch
}
