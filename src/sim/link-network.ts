import type { SimKernel } from "../kernel/sim-kernel.ts"
import type { ListenAddress } from "../ports/http-port.ts"
import { type LinkEnd, makeLink } from "./link.ts"
import { type LinkOptions, makeConditions, type NetConditions, type Weather } from "./link-conditions.ts"
import { makePortSpace, type PortSpace, type SimPort } from "./link-ports.ts"

/** Who serves a port of a simulated network. */
export interface LinkServer<P> {
  bound(address: ListenAddress): void
  failed(reason: string): void
  accept(end: LinkEnd<P>): void
  /** Somebody tried to connect while nothing listened here any more. */
  refused?(): void
}

/** Why there is no connection; `noTls` is that a server here speaks no TLS, `elsewhere` an address that is served, but on another network of its world. */
export type ConnectFailure = "refused" | "unknownHost" | "elsewhere" | "noTls"

/** Who connects. */
export interface LinkClient<P> {
  opened(end: LinkEnd<P>): void
  failed(why: ConnectFailure): void
  /** Nobody will ever answer: there is no other report. */
  lost?(): void
}

/** From whom, to where. */
export interface Dial {
  readonly client: string
  readonly host: string
  readonly port: number
  /** Whether TLS is wanted, which no server here speaks; a name of the outside world stands for a server that would. */
  readonly isSecure?: boolean
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

/** A server that listens here, or was the last to. */
interface Served<P> {
  readonly port: SimPort
  readonly server: LinkServer<P>
}

const isBound = <P>(served: Served<P>): boolean => served.port.holder === served

/** What a network shares with others of its world, and who sees what arrives. */
export interface LinkNetworkParts<P> {
  /** Default: ports of its own. */
  readonly ports?: PortSpace | undefined
  readonly weather?: Weather | undefined
  readonly tap?: ((channel: string, payload: P) => void) | undefined
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[?::1?\]?)$/

/**
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeLinkNetwork = <P>(
  kernel: SimKernel,
  options: LinkOptions & LinkNetworkParts<P> = {}
): LinkNetwork<P> => {
  const net = makeConditions(kernel.choice, options)
  const { ports = makePortSpace(), tap } = options
  const servers = new Map<number, Served<P>>()
  const aliases = new Map<string, number>()
  const connections = new Map<string, number>()
  kernel.kept.add(() => `${net.text()} ${[...servers].filter(([, served]) => isBound(served)).map(([port]) => port)}`)

  const find = ({ host, port, isSecure = false }: Dial): Served<P> | ConnectFailure => {
    const alias = aliases.get(host)
    if (alias === undefined && !loopback.test(host)) return "unknownHost"
    const number = alias ?? port
    const served = servers.get(number)
    const isElsewhere = ports.isHeld(number) && (served === undefined || !isBound(served))
    if (isElsewhere) return "elsewhere"
    if (isSecure && alias === undefined && served !== undefined && isBound(served)) return "noTls"
    return served ?? "refused"
  }

  const nameOf = (client: string): string => {
    const count = (connections.get(client) ?? 0) + 1
    connections.set(client, count)
    return count === 1 ? client : `${client}.${count}`
  }

  return {
    kernel,
    listen(address, server) {
      const port = ports.port(address.port)
      const { number, actor } = port
      // No deadline may come before it: a port of no machine takes no time to be bound.
      const binding = { kind: "task", label: "net/bind", actor, isPrompt: true } as const
      // Claimed at once: of two that want a port, the later one fails.
      if (port.holder !== null) {
        const reason = `listen EADDRINUSE: address already in use ${address.host}:${number}`
        const forget = kernel.plan(0, binding, () => server.failed(reason))
        return { unbind: forget }
      }
      const served: Served<P> = { port, server }
      port.holder = served
      servers.set(number, served)
      let isListening = false
      const forget = kernel.plan(0, binding, () => {
        isListening = true
        server.bound({ host: address.host, port: number })
      })
      return {
        unbind() {
          if (!isListening) forget()
          if (isBound(served)) port.holder = null
        }
      }
    },
    connect(dial, client) {
      const known = find(dial)
      const actor = typeof known === "string" ? "net" : known.port.actor
      return connectTo({ kernel, net, dial, find: () => find(dial), actor, nameOf, tap }, client)
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
    readonly find: () => Served<P> | ConnectFailure
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
    if (!isBound(found)) {
      found.server.refused?.()
      refuse("refused")
      return
    }
    const link = makeLink<P>({ kernel, conditions, name: nameOf(dial.client), near: dial.client, far: actor, tap })
    near = link.near
    found.server.accept(link.far)
    answer("net/connected", () => client.opened(link.near))
  }

  if (conditions.has("lostConnect")) client.lost?.()
  else if (conditions.has("refuse")) refuse("refused")
  else {
    const op = { kind: "deliver", label: "net/connect", actor, from: dial.client } as const
    kernel.plan(conditions.latencyMs(), op, arrive)
  }
  return () => {
    isGivenUp = true
    near?.close()
  }
}
