import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { StreamAddress } from "../../../src/ports/stream-port.ts"
import { type Child, startChild } from "../../shared/child.ts"
import type { Sizes } from "../../shared/row.ts"
import type { ProxyAnswer, ProxyKind, ProxyQuestion } from "./proxy-program.ts"
import type { ReceiverAnswer, ReceiverQuestion } from "./receiver-program.ts"
import type { SenderAnswer, SenderQuestion, Sending } from "./sender-program.ts"

/** A proxy in a process of its own, and how it is reached. */
export interface StoodProxy {
  readonly address: StreamAddress
  usage(): Promise<ProxyAnswer>
  stop(): void
}

/** A sender and a receiver, each a process, and as many proxies between them as are started. */
export interface Stand {
  /** Where the sender listens: what goes there has no proxy on its way. */
  readonly direct: StreamAddress
  startProxy(kind: ProxyKind, nodeFlags?: ReadonlyArray<string>): Promise<StoodProxy>
  sendToEach(sending: Sending): Promise<void>
  /** Bytes that the sender got rid of, in whole blocks; `null` before anybody has connected. */
  sentBytes(): Promise<number | null>
  ask(question: ReceiverQuestion): Promise<ReceiverAnswer>
}

/** Builds a stand, hands it over, and takes it down. */
export const withStand = async <Result>(
  kind: StreamAddress["kind"],
  { own }: Pick<Sizes, "own">,
  use: (stand: Stand) => Promise<Result>
): Promise<Result> => {
  const folder = mkdtempSync(join(tmpdir(), "understudy-bench-"))
  let places = 0
  const place = (): StreamAddress =>
    kind === "unix" ? { kind, path: join(folder, `${++places}.sock`) } : { kind, host: "127.0.0.1", port: 0 }
  const sender: Child<SenderQuestion, SenderAnswer> = startChild(programAt("sender-program"))
  const receiver: Child<ReceiverQuestion, ReceiverAnswer> = startChild(programAt("receiver-program"))
  const stopping: Array<() => void> = [sender.stop, receiver.stop]
  try {
    const { address: direct } = await sender.ask({ listen: place() })
    if (direct === null) throw new Error("the sender does not listen")
    return await use({
      direct,
      async startProxy(proxyKind, nodeFlags = []) {
        const profile = (own["profile"] ?? []).flatMap((folder) => ["--cpu-prof", `--cpu-prof-dir=${resolve(folder)}`])
        const child: Child<ProxyQuestion, ProxyAnswer> = startChild(programAt("proxy-program"), [
          ...profile,
          ...nodeFlags
        ])
        stopping.push(child.stop)
        const { address } = await child.ask({ start: proxyKind, listen: place(), upstream: direct })
        if (address === null) throw new Error("the proxy does not listen")
        return { address, usage: () => child.ask({ usage: true }), stop: child.stop }
      },
      async sendToEach(sending) {
        await sender.ask({ send: sending })
      },
      sentBytes: async () => (await sender.ask({ progress: true })).bytesLeft,
      ask: receiver.ask
    })
  } finally {
    for (const stop of stopping) stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The bundles lie beside each other. */
const programAt = (name: string): URL => new URL(`./${name}.js`, import.meta.url)
