import type { StreamAddress } from "../../../src/ports/stream-port.ts"
import { type PlanSource, spawnFaultProxy } from "../../../src/proxy.ts"
import { answerQuestions } from "../../shared/child.ts"
import { cpuSeconds } from "../../shared/measure/cpu-seconds.ts"
import { startBareProxy } from "./bare-proxy.ts"
import { startPipeProxy } from "./pipe-proxy.ts"

/** Which proxy is started: the plain one, our sockets without frames, or ours with a fault plan. */
export type ProxyKind = "pipe" | "bare" | { readonly plan: PlanSource }

export type ProxyQuestion =
  | { readonly start: ProxyKind; readonly listen: StreamAddress; readonly upstream: StreamAddress }
  | { readonly usage: true }

export interface ProxyAnswer {
  readonly address: StreamAddress | null
  readonly cpuSeconds: number
  /** Bytes of its objects and buffers when garbage is collected, where the process lets us, and of all of its memory. */
  readonly heldBytes: number
  readonly rssBytes: number
}

const usage = (address: StreamAddress | null): ProxyAnswer => {
  // Once more for what finalizers let go.
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { address, cpuSeconds: cpuSeconds(), heldBytes: heapUsed + external, rssBytes: rss }
}

const start = async (kind: ProxyKind, listen: StreamAddress, upstream: StreamAddress): Promise<StreamAddress> => {
  if (kind === "pipe") return startPipeProxy(listen, upstream)
  if (kind === "bare") return startBareProxy(listen, upstream)
  return (await spawnFaultProxy(listen, upstream, kind.plan)).address
}

answerQuestions<ProxyQuestion, ProxyAnswer>(async (question) =>
  usage("start" in question ? await start(question.start, question.listen, question.upstream) : null)
)
