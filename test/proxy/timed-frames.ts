import type { FaultProxy } from "../../src/proxy/fault-proxy.ts"
import type { Direction } from "../../src/proxy/plan/fault-program.ts"
import type { PlanSource } from "../../src/proxy/plan/plan-source.ts"
import { simStreamWorld } from "../ports/sim-stream-world.ts"
import type { WatchedSocket } from "../ports/stream-world.ts"
import { frame, type Kind, proxyRun } from "./proxy-world.ts"

/** A frame that is sent at a time. */
export interface TimedFrame {
  readonly atMs: number
  readonly body: Uint8Array
}

/** Frames of one direction through a proxy on a machine on which nothing takes time of itself. */
export interface TimedScene {
  readonly frames: ReadonlyArray<TimedFrame>
  readonly direction: Direction
  readonly plan: PlanSource
  readonly seed?: number
  readonly kind?: Kind
}

/** A piece as it came. */
export interface TimedPiece {
  readonly atMs: number
  readonly bytes: Uint8Array
}

export interface TimedPlay {
  readonly proxy: FaultProxy
  readonly receiver: WatchedSocket
  readonly sender: WatchedSocket
  readonly came: ReadonlyArray<TimedPiece>
  /** When all frames and what is done to them have had their time, in milliseconds since the first. */
  readonly nowMs: () => number
  /** Lets everything happen that can. */
  quiet(): Promise<void>
  stop(): Promise<void>
}

const quietMs = 600_000

/** The bytes of these frames, one behind the other. */
export const sentBytes = (frames: ReadonlyArray<TimedFrame>): Buffer =>
  Buffer.concat(frames.map(({ body }) => frame(body)))

/** Sends the frames, and waits until nothing more happens. */
export const playTimed = async ({ frames, direction, plan, seed = 1, kind }: TimedScene): Promise<TimedPlay> => {
  const { world, proxy, through } = await proxyRun(simStreamWorld()(), {
    plan,
    seed,
    ...(kind === undefined ? {} : { kind })
  })
  const { client, upstream } = await through()
  const [sender, receiver] = direction === "clientToLeader" ? [client, upstream] : [upstream, client]
  const from = world.clock.now()
  const nowMs = (): number => world.clock.now() - from
  const came: Array<TimedPiece> = []
  receiver.heard((bytes) => came.push({ atMs: nowMs(), bytes: bytes.slice() }))
  for (const { atMs, body } of frames) world.clock.arm(atMs, "a frame is sent", () => void sender.write(frame(body)))
  const quiet = (): Promise<void> =>
    world.settled(new Promise((resolve) => void world.clock.arm(quietMs, "all has happened", resolve)))
  await quiet()
  return { proxy, receiver, sender, came, nowMs, quiet, stop: () => world.settled(proxy.stop()) }
}
