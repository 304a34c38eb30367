import type { SimKernel } from "../kernel/sim-kernel.ts"
import type { HttpPort } from "../ports/http-port.ts"
import type { SegmentOptions } from "./byte-pair.ts"
import type { ClientWatch } from "./client-watch.ts"
import type { LinkOptions, Weather } from "./link-conditions.ts"
import { type LinkNetwork, makeLinkNetwork } from "./link-network.ts"
import type { PortSpace } from "./link-ports.ts"
import { messageCutter } from "./message-pieces.ts"
import { type ClientTimeouts, type MessageClient, makeMessageClient } from "./transport-client.ts"
import { makeSimFetch } from "./transport-fetch.ts"
import { makeMessageHttp } from "./transport-http-port.ts"
import type { HttpMessage } from "./transport-messages.ts"
import type { WireWatch } from "./wire-watch.ts"

/** What a simulated HTTP network is like, and how patient its clients are. */
export interface SimHttpOptions extends LinkOptions, SegmentOptions {
  readonly timeouts?: ClientTimeouts
  /** Shared by the networks of a world. */
  readonly ports?: PortSpace | undefined
  readonly weather?: Weather | undefined
  /** Who sees what clients send and get. */
  readonly watch?: ClientWatch
  /** Who sees what arrives. */
  readonly tap?: WireWatch | undefined
}

/**
 * HTTP without sockets and without bytes on a wire, between servers on `port` and named clients.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface SimHttp {
  /** Where servers listen: the code that runs live is started on it. */
  readonly port: HttpPort
  readonly network: LinkNetwork<HttpMessage>
  /** The client of this name; its draws are labelled `net/NAME/...`. */
  client(name: string): MessageClient
  /** A `fetch` for an SDK of this client. */
  fetch(name: string): typeof fetch
}

/**
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeSimHttp = (kernel: SimKernel, { timeouts, watch, ...options }: SimHttpOptions = {}): SimHttp => {
  const network = makeLinkNetwork<HttpMessage>(kernel, options)
  const clients = new Map<string, MessageClient>()
  const client = (name: string): MessageClient => {
    const known = clients.get(name)
    if (known !== undefined) return known
    const made = makeMessageClient(network, name, {
      ...(timeouts === undefined ? {} : { timeouts }),
      ...(watch === undefined ? {} : { watch })
    })
    clients.set(name, made)
    return made
  }
  return {
    port: makeMessageHttp(network, messageCutter(kernel.choice, options)),
    network,
    client,
    fetch: (name) => makeSimFetch(client(name))
  }
}
