import { seededChoice } from "../../../src/kernel/choice-sources.ts"
import type { ConnectionReport, FaultProxy } from "../../../src/proxy/fault-proxy.ts"
import type { PlanSource } from "../../../src/proxy/plan/plan-source.ts"
import { latin1Bytes, latin1Text } from "../../../src/wire/http/latin1.ts"
import { simStreamWorld } from "../../ports/sim-stream-world.ts"
import type { WatchedSocket } from "../../ports/stream-world.ts"
import { proxyRun } from "../proxy-world.ts"

interface Written {
  readonly text: string
}

/** A connection of HTTP, and what chance makes of it. */
export interface HttpScene {
  /** What is asked and answered, as it is written: a letter is a byte. */
  readonly written: ReadonlyArray<{ readonly request: Written; readonly response: Written }>
  /** How many requests stand before the one that is answered. */
  readonly ahead: ReadonlyArray<number>
  readonly cut: (bytes: Uint8Array) => ReadonlyArray<Uint8Array>
  readonly seed: number
}

/** What was seen of it. */
export interface HttpPlay {
  /** What the upstream got. */
  readonly requests: string
  /** What it had got when it began each answer. */
  readonly requestsBefore: ReadonlyArray<string>
  /** What came of each answer. */
  readonly responses: ReadonlyArray<string>
  readonly report: ConnectionReport
  readonly isOver: { readonly client: boolean; readonly upstream: boolean }
}

/** What somebody does when an answer has been written; gives whether there is more to see then. */
export type BehindAnswer = (proxy: FaultProxy, exchange: number, came: () => string) => boolean

const quietMs = 600_000

const heardBy = (socket: WatchedSocket): (() => string) => {
  const pieces: Array<string> = []
  socket.heard((bytes) => pieces.push(latin1Text(bytes)))
  return () => pieces.join("")
}

/**
 * Has a client ask and an upstream answer through a proxy of a simulated machine. An answer is written when its request has come; requests
 * behind it may come meanwhile.
 */
export const playHttp = async (
  { written, ahead, cut, seed }: HttpScene,
  plan: PlanSource,
  behind: BehindAnswer = () => false
): Promise<HttpPlay> => {
  const { world, proxy, through } = await proxyRun(simStreamWorld(seededChoice(seed))(), { framing: "http", plan })
  const { client, upstream } = await through()
  const [atClient, atUpstream] = [heardBy(client), heardBy(upstream)]
  const write = (socket: WatchedSocket, text: string): void => {
    for (const piece of cut(latin1Bytes(text))) void socket.write(piece)
  }
  let asked = 0
  const askUpTo = (place: number): void => {
    for (; asked <= place && asked < written.length; asked++) write(client, written[asked]?.request.text ?? "")
  }
  /** Longer than a chunk for every byte takes, one behind the other. */
  const quiet = (): Promise<void> =>
    world.settled(new Promise((resolve) => void world.clock.arm(quietMs, "all has come", resolve)))
  const responses: Array<string> = []
  const requestsBefore: Array<string> = []
  for (const [exchange, { response }] of written.entries()) {
    askUpTo(exchange)
    await quiet()
    requestsBefore.push(atUpstream())
    const before = atClient().length
    askUpTo(exchange + (ahead[exchange] ?? 0))
    write(upstream, response.text)
    if (exchange === written.length - 1) upstream.socket.end()
    await quiet()
    const came = (): string => atClient().slice(before)
    if (behind(proxy, exchange, came)) await quiet()
    responses.push(came())
  }
  const [report] = proxy.connections()
  if (report === undefined) throw new Error("there is no connection")
  const isOver = { client: client.reports.length > 0, upstream: upstream.reports.length > 0 }
  await world.settled(proxy.stop())
  return { requests: atUpstream(), requestsBefore, responses, report, isOver }
}
