import type { SimKernel } from "../kernel/sim-kernel.ts"
import type { ListenAddress } from "../ports/http-port.ts"
import { type LinkEnd, makeLink } from "./link.ts"
import { type LinkOptions, makeConditions, type NetConditions } from "./link-conditions.ts"

/** Who serves a port of a simulated network. */
export interface LinkServer<P> {
  bound(address: ListenAddress): void
  failed(reason: string): void
  accept(end: LinkEnd<P>): void
  /** Somebody tried to connect while nothing listened here any more. */
  refused?(): void
}

/** Why there is no connection. */
export type ConnectFailure = "refused" | "unknownHost"

/** Who connects. */
export interface LinkClient<P> {
  opened(end: LinkEnd<P>): void
  failed(why: ConnectFailure): void
}

/** From whom, to where. */
export interface Dial {
  readonly client: string
  readonly host: string
  readonly port: number
}

/**
 * Connections between named clients and ports, in one process and without sockets. All loopback names are one host.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface LinkNetwork<P> {
  readonly kernel: SimKernel
  listen(address: ListenAddress, server: LinkServer<P>): { unbind(): void }
  /** Connects; what it gives gives up. Exactly one report follows, or none when the connect is lost. */
  connect(dial: Dial, client: LinkClient<P>): () => void
  /** Lets a name of the outside world, `api.openai.com`, stand for a port. */
  alias(host: string, port: number): void
}

/** A port that is or was in use. */
interface Port<P> {
  readonly actor: string
  server: LinkServer<P>
  isBound: boolean
}

/** Ports that the network chooses begin here. */
const firstPort = 8_001

const loopback = /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[?::1?\]?)$/

/**
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeLinkNetwork = <P>(
  kernel: SimKernel,
  options: LinkOptions & { readonly tap?: ((channel: string, payload: P) => void) | undefined } = {}
): LinkNetwork<P> => {
  const net = makeConditions(kernel.choice, options)
  const ports = new Map<number, Port<P>>()
  const aliases = new Map<string, number>()
  const connections = new Map<string, number>()
  let nextPort = firstPort

  const choosePort = (wanted: number): number => {
    if (wanted !== 0) return wanted
    while (ports.has(nextPort)) nextPort++
    return nextPort++
  }

  const find = ({ host, port }: Dial): Port<P> | ConnectFailure => {
    const alias = aliases.get(host)
    if (alias === undefined && !loopback.test(host)) return "unknownHost"
    return ports.get(alias ?? port) ?? "refused"
  }

  const nameOf = (client: string): string => {
    const count = (connections.get(client) ?? 0) + 1
    connections.set(client, count)
    return count === 1 ? client : `${client}.${count}`
  }

  return {
    kernel,
    listen(address, server) {
      const number = choosePort(address.port)
      // Claimed at once: of two that want a port, the later one fails.
      const earlier = ports.get(number)
      if (earlier?.isBound === true) {
        const reason = `listen EADDRINUSE: address already in use ${address.host}:${number}`
        const forget = kernel.plan(0, { kind: "task", label: "net/bind", actor: earlier.actor }, () =>
          server.failed(reason)
        )
        return { unbind: forget }
      }
      const actor = earlier?.actor ?? (ports.size === 0 ? "srv" : `srv${ports.size + 1}`)
      const own: Port<P> = { actor, server, isBound: true }
      ports.set(number, own)
      let isListening = false
      const forget = kernel.plan(0, { kind: "task", label: "net/bind", actor }, () => {
        isListening = true
        server.bound({ host: address.host, port: number })
      })
      return {
        unbind() {
          if (!isListening) forget()
          own.isBound = false
        }
      }
    },
    connect(dial, client) {
      const known = find(dial)
      const actor = typeof known === "string" ? "net" : known.actor
      return connectTo({ kernel, net, dial, find: () => find(dial), actor, nameOf, tap: options.tap }, client)
    },
    alias: (host, port) => void aliases.set(host, port)
  }
}

/** One connect: to the server and back. */
const connectTo = <P>(
  parts: {
    readonly kernel: SimKernel
    readonly net: NetConditions
    readonly dial: Dial
    /** Who is there when the connect arrives. */
    readonly find: () => Port<P> | ConnectFailure
    readonly actor: string
    readonly nameOf: (client: string) => string
    readonly tap: ((channel: string, payload: P) => void) | undefined
  },
  client: LinkClient<P>
): (() => void) => {
  const { kernel, net, dial, find, actor, nameOf, tap } = parts
  const conditions = net.between(dial.client, actor)
  let isGivenUp = false
  let near: LinkEnd<P> | null = null

  const answer = (label: string, tell: () => void): void => {
    const op = { kind: "deliver", label, actor: dial.client, from: actor } as const
    kernel.plan(conditions.latencyMs(), op, () => {
      if (!isGivenUp) tell()
    })
  }
  const refuse = (why: ConnectFailure): void => answer("net/refused", () => client.failed(why))

  const arrive = (): void => {
    if (isGivenUp) return
    const found = find()
    if (typeof found === "string") {
      refuse(found)
      return
    }
    if (!found.isBound) {
      found.server.refused?.()
      refuse("refused")
      return
    }
    const link = makeLink<P>({ kernel, conditions, name: nameOf(dial.client), near: dial.client, far: actor, tap })
    near = link.near
    found.server.accept(link.far)
    answer("net/connected", () => client.opened(link.near))
  }

  if (!conditions.has("lostConnect")) {
    if (conditions.has("refuse")) refuse("refused")
    else {
      const op = { kind: "deliver", label: "net/connect", actor, from: dial.client } as const
      kernel.plan(conditions.latencyMs(), op, arrive)
    }
  }
  return () => {
    isGivenUp = true
    near?.close()
  }
}
