import type { FaultServer, FaultServerOptions } from "../../src/faults.ts"
import type { MockInferenceServer, ServerOptions } from "../../src/index.ts"

/** What a scenario is played on: sockets of this machine, or a simulated network of messages or of bytes. */
export interface Stage {
  startServer(options?: Omit<ServerOptions, "clock">): Promise<MockInferenceServer>
  startFaultServer(options: Omit<FaultServerOptions, "clock" | "onEvent">): Promise<FaultServer>
  /** The `fetch` of a client; it uses its connections again. */
  fetch(client: string): typeof fetch
  /** Notes what a client saw or a test learned. */
  tell(who: string, what: unknown): void
}

/** A story of servers, clients and a test. What has no order by itself is ordered by waits, never by time. */
export type Scenario = (stage: Stage) => Promise<void>

/** What is compared of a scenario, as lines. */
export interface Told {
  /** By who was told of; each in the order in which it was noted. */
  readonly seen: Readonly<Record<string, ReadonlyArray<string>>>
  readonly servers: ReadonlyArray<ServerTold>
  /** How many connections each client made, where clients can be asked. */
  readonly connects?: ReadonlyArray<number>
}

export interface ServerTold {
  readonly trace: ReadonlyArray<string>
  /** The request log, or the records of a fault server. */
  readonly log: ReadonlyArray<string>
}
