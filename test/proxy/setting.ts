import { expect } from "vitest"
import type { FaultProxy } from "../../src/proxy/fault-proxy.ts"
import type { FrameAction } from "../../src/proxy/proxy-event.ts"
import type { StreamWorld } from "../ports/stream-world.ts"
import { type Kind, type ProxyRun, proxyRun, type RunOptions } from "./proxy-world.ts"

/** What a scenario is run in. */
export interface Setting {
  readonly makeWorld: () => StreamWorld
  readonly kinds: { readonly kind: Kind; readonly upstreamKind: Kind }
  /** What is known of how long things take: all, that they take no less, or nothing, as on real sockets. */
  readonly time: "exact" | "at least" | "unknown"
}

/** Starts a proxy in a world of its own. */
export const startIn = ({ makeWorld, kinds }: Setting, options: Omit<RunOptions, "kind" | "upstreamKind"> = {}) =>
  proxyRun(makeWorld(), { ...kinds, ...options })

/** Says that something took so long. */
export const expectMs = ({ time }: Setting, tookMs: number, wantedMs: number): void => {
  if (time === "exact") expect(tookMs).toBe(wantedMs)
  if (time === "at least") expect(tookMs).toBeGreaterThanOrEqual(wantedMs)
}

/** Waits for something, and gives how long it took in the time of its world. */
export const timed = async ({ world }: Pick<ProxyRun, "world">, promise: Promise<unknown>): Promise<number> => {
  const from = world.clock.now()
  await world.settled(promise)
  return world.clock.now() - from
}

/** The texts of lines, one behind the other. */
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Settles when the log tells of a frame that something was done to. */
export const isTold = ({ watch }: FaultProxy, action: FrameAction): Promise<void> =>
  new Promise((resolve) => {
    watch((event) => {
      if (event.type === "frame" && event.action === action) resolve()
    })
  })
