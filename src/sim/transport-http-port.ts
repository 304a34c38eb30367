import type { Ending } from "../domain/plan.ts"
import { firstHeader, type RequestHead } from "../domain/request.ts"
import type { SimKernel } from "../kernel/sim-kernel.ts"
import type { Exchange, HttpApp, HttpPort, ListenAddress, Listening, ListenReport } from "../ports/http-port.ts"
import type { RequestWatch } from "./client-watch.ts"
import type { LinkEnd } from "./link.ts"
import type { LinkNetwork } from "./link-network.ts"
import type { MessageCutter } from "./message-pieces.ts"
import { messageSink, wantsClose } from "./transport-http-sink.ts"
import type { HttpMessage } from "./transport-messages.ts"

/** Between the last bytes and an RST so much time passes, as live. */
const resetGapMs = 5

/**
 * Servers on a simulated network whose connections carry messages of HTTP.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeMessageHttp = (network: LinkNetwork<HttpMessage>, cut: MessageCutter | null = null): HttpPort => ({
  listen: (address, app, report) => listen(network, { address, app, report, cut })
})

/** A connection that was accepted. */
interface Peer {
  readonly isIdle: () => boolean
  close(): void
}

const listen = (
  network: LinkNetwork<HttpMessage>,
  options: {
    readonly address: ListenAddress
    readonly app: HttpApp
    readonly report: ListenReport
    readonly cut: MessageCutter | null
  }
): Listening => {
  const { address, app, report, cut } = options
  const { kernel } = network
  const peers = new Set<Peer>()
  const state = { isClosing: false }

  const accept = (end: LinkEnd<HttpMessage>): void => {
    const peer = servePeer({
      kernel,
      end,
      app,
      cut,
      isClosing: () => state.isClosing,
      closed() {
        peers.delete(peer)
        if (peers.size === 0) report.lost()
      }
    })
    peers.add(peer)
  }
  const { unbind } = network.listen(address, {
    bound: report.bound,
    failed: report.failed,
    accept,
    refused: () => report.refused?.()
  })
  return {
    unbind,
    closeIdle() {
      state.isClosing = true
      for (const peer of peers) if (peer.isIdle()) peer.close()
    },
    connections: () => peers.size
  }
}

/** A request that has arrived, or begun to. */
interface Incoming {
  readonly head: RequestHead
  readonly pieces: Array<Uint8Array>
  readonly watch: RequestWatch | null
  isWhole: boolean
}

/** One exchange at a time; what was sent behind it waits. */
const servePeer = (options: {
  readonly kernel: SimKernel
  readonly end: LinkEnd<HttpMessage>
  readonly app: HttpApp
  readonly cut: MessageCutter | null
  readonly isClosing: () => boolean
  readonly closed: () => void
}): Peer => {
  const { kernel, end, app, cut, isClosing } = options
  const client = end.name.split(".")[0] ?? end.name
  const queue: Array<Incoming> = []
  let reading: { readonly incoming: Incoming; readonly exchange: Exchange; length: number } | null = null
  let current: Exchange | null = null
  let undelivered: ((isDelivered: boolean) => void) | null = null
  let isOpen = true

  const later = (label: string, ms: number, happen: () => void): void => {
    kernel.plan(ms, { kind: "task", label, actor: end.actor }, happen)
  }

  const told = (isDelivered: boolean): void => {
    const report = undelivered
    undelivered = null
    report?.(isDelivered)
  }

  /** What the server does in a step of its own is noticed after that step, as on a socket. */
  const gone = (): void => {
    if (!isOpen) return
    isOpen = false
    later("net/closed", 0, () => {
      connection.closed()
      told(false)
      options.closed()
    })
  }
  const close = (): void => {
    end.close()
    gone()
  }
  const connection = app.connected(close)

  const finished = (how: Ending, head: RequestHead, report: ((isDelivered: boolean) => void) | null): void => {
    undelivered = how === "stall" || how === "vanish" ? null : report
    if (undelivered !== null && end.hasRoom()) later("net/delivered", 0, () => told(true))
    if (how === "halfClose") end.finish()
    if (how === "end" || how === "halfClose") ended(head)
    else if (how === "fin") later("net/close", 0, close)
    else if (how === "vanish") end.vanish()
    else if (how === "rst") {
      later("net/reset", resetGapMs, () => {
        end.reset()
        gone()
      })
    }
  }

  const ended = (head: RequestHead): void => {
    current = null
    const next = queue.shift()
    if (isClosing() || wantsClose(head)) later("net/close", 0, close)
    else if (next !== undefined) later("net/next", 0, () => open(next))
  }

  /** What the server does with a request, it does in the sight of whoever watches that one. */
  const arriving = ({ watch }: Incoming, take: () => void): void => {
    if (watch === null) take()
    else watch.arriving(take)
  }

  const open = (incoming: Incoming): void => {
    if (isOpen) arriving(incoming, () => begin(incoming))
  }

  const begin = (incoming: Incoming): void => {
    const { head } = incoming
    let isOver = false
    const sink = messageSink(end, {
      request: head,
      cut: cut === null ? null : (bytes) => cut(client, bytes),
      owner: {
        finished(how, report) {
          isOver = how === "end" || how === "halfClose"
          finished(how, head, report)
        }
      }
    })
    const exchange = connection.open(head, sink)
    if (!isOver) current = exchange
    feed(incoming, exchange)
  }

  const feed = (incoming: Incoming, exchange: Exchange): void => {
    const bytesMax = exchange.bodyBytesMax
    if (bytesMax === null) {
      incoming.pieces.length = 0
      return
    }
    const length = incoming.pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
    const announced = Number(firstHeader(incoming.head.headers, "content-length") ?? 0)
    if (length > bytesMax || announced > bytesMax) {
      exchange.tooLarge()
    } else if (incoming.isWhole) {
      exchange.received(joined(incoming.pieces, length))
    } else reading = { incoming, exchange, length }
  }

  const readOn = (body: Uint8Array, isLast: boolean): void => {
    const behind = queue.at(-1)
    if (behind !== undefined) {
      behind.pieces.push(body)
      behind.isWhole = isLast
      return
    }
    const bytesMax = reading?.exchange.bodyBytesMax ?? null
    if (reading === null || bytesMax === null) return
    const { incoming, exchange } = reading
    incoming.pieces.push(body)
    incoming.isWhole = isLast
    const length = reading.length + body.byteLength
    reading = length > bytesMax || isLast ? null : { ...reading, length }
    if (length > bytesMax) arriving(incoming, () => exchange.tooLarge())
    else if (isLast) arriving(incoming, () => exchange.received(joined(incoming.pieces, length)))
  }

  end.read({
    data(message) {
      if (!isOpen) return
      if (message.kind === "body") readOn(message.body, message.isLast)
      else if (message.kind === "request") {
        const { head, body, isWhole, watch } = message
        const incoming = { head, pieces: [body], isWhole, watch }
        if (current === null) open(incoming)
        else queue.push(incoming)
      }
    },
    // node:http ends its side when the client has ended its own, whatever is in progress.
    fin: close,
    rst: gone,
    room() {
      if (current !== null) current.written()
      else told(true)
    }
  })
  return { isIdle: () => current === null && queue.length === 0, close }
}

const joined = (pieces: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  const [first] = pieces
  if (first !== undefined && pieces.length === 1) return first
  const bytes = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.byteLength
  }
  return bytes
}
