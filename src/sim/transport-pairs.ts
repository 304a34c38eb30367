import type { Duplex } from "node:stream"
import type { SimKernel } from "../kernel/sim-kernel.ts"
import { makeBytePair, makeStdioPair, type SegmentOptions } from "./byte-pair.ts"
import type { HeldThings } from "./held-things.ts"
import type { LinkOptions, Weather } from "./link-conditions.ts"
import { checked } from "./sim-checks.ts"
import { type PairSide, pairWaits } from "./transport-pair-waits.ts"
import { makeSimProcess, type SimProcess } from "./transport-process.ts"
import { makeSimSocket } from "./transport-socket.ts"

/**
 * Who is at the other end of a pair, and what the network between them is like where it differs from that of the world.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface SimPairOptions extends LinkOptions, SegmentOptions {
  /** Who is at the other end. Default `test`. */
  readonly peer?: string
}

/**
 * Both ends of a connection: of the side that was named, and of its peer. What one ends, resets or destroys the other sees as
 * with sockets of Node.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface SimSocketPair {
  readonly near: Duplex
  readonly far: Duplex
}

/**
 * Streams between actors of a world without a server that listens. What is written arrives late, is cut into segments and meets
 * the faults of the network; draws are labelled `net/NAME/...`, a second pair of one name is `NAME.2`.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface SimPairs {
  /**
   * Two connected Unix sockets, streams of Node.
   *
   * **Fails** with `InvalidOption`
   */
  socketPair(name: string, options?: SimPairOptions): SimSocketPair
  /**
   * A process that is none: `parent` is what a client has that would have started it, `child` what the code of the process has. Each
   * stream is a pipe of its own; the fault `cut` ends it as the death of its writer does, `rst` also breaks it for the writer.
   *
   * **Fails** with `InvalidOption`
   */
  stdioPair(name: string, options?: SimPairOptions): SimProcess
}

const peerDefault = "test"

/** A process of Node has some number of this size; the first is no number that means something. */
const pidBefore = 1_000

/** The pairs of a world, and who waits for whom at their ends, a line each. */
interface MadePairs {
  readonly pairs: SimPairs
  waiting(): ReadonlyArray<string>
}

const linesMax = 20

/** @since 0.1.0 @category constructors */
export const makeSimPairs = (
  kernel: SimKernel,
  {
    held,
    ...network
  }: LinkOptions & SegmentOptions & { readonly weather?: Weather; readonly held?: HeldThings | undefined }
): MadePairs => {
  const waits: Array<() => ReadonlyArray<string>> = []
  const known = new Map<string, number>()
  let pid = pidBefore

  /** Two of one name are two channels: the second is called `agent.2`. */
  const parts = (name: string, { peer = peerDefault, ...own }: SimPairOptions) => {
    const number = (known.get(name) ?? 0) + 1
    known.set(name, number)
    return { ...network, ...own, near: number === 1 ? name : `${name}.${number}`, far: peer }
  }

  const pairs: SimPairs = {
    socketPair(name, options = {}) {
      const { near, far } = makeBytePair(kernel, parts(checked.socketPair(name), checked.socketOptions(options)))
      const socket = (end: typeof near, host: string): Duplex =>
        makeSimSocket({ kernel, end, remote: { host, port: 0 }, allowHalfOpen: false })
      const streams = { near: socket(near, far.actor), far: socket(far, near.actor) }
      for (const [side, end] of [
        ["near", near],
        ["far", far]
      ] as const) {
        const thing = held?.opened({ kind: "pair", actor: end.actor, what: () => `${near.name}, its ${side} end` })
        streams[side].once("close", () => thing?.closed())
      }
      const side = (title: string, end: typeof near, stream: Duplex): PairSide => ({
        name: title,
        reads: [{ what: "", stream, end }],
        writes: [{ what: "", stream }]
      })
      const one = side(`the near end of ${near.name}`, near, streams.near)
      const other = side(`the far end of ${near.name} (${far.actor})`, far, streams.far)
      waits.push(() => pairWaits(one, other))
      return streams
    },
    stdioPair(name, options = {}) {
      const own = parts(checked.stdioPair(name), checked.stdioOptions(options))
      pid++
      const names = { name: own.near, parentName: own.far, pid }
      const { process, waiting } = makeSimProcess(kernel, makeStdioPair(kernel, own), names)
      waits.push(waiting)
      const thing = held?.opened({ kind: "process", actor: own.far, what: () => own.near })
      process.parent.once("exit", () => thing?.closed())
      return process
    }
  }
  return {
    pairs,
    waiting() {
      const lines = waits.flatMap((waiting) => waiting())
      const left = lines.length - linesMax
      return left > 0 ? [...lines.slice(0, linesMax), `and ${left} more ends of pairs`] : lines
    }
  }
}
