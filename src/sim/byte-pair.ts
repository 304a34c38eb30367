import { InvalidOption } from "../domain/errors.ts"
import type { Choice } from "../kernel/choice.ts"
import type { SimKernel } from "../kernel/sim-kernel.ts"
import { type LinkEnd, makeLink } from "./link.ts"
import { type LinkOptions, makeConditions, type Weather } from "./link-conditions.ts"

/** One end of a stream of bytes; where a piece ends says nothing, lines are found by who reads. */
export type ByteEnd = LinkEnd<Uint8Array>

/** How a network cuts what is written. */
export interface SegmentOptions {
  /** Nothing longer arrives at once; each piece has a drawn size, the longest being calm. Default: nothing is cut. */
  readonly segmentBytesMax?: number
}

/** Two ends of one stream, as a pair of Unix sockets has them. */
export interface BytePair {
  readonly near: ByteEnd
  readonly far: ByteEnd
}

const checkSegments = (max: number): void => {
  if (Number.isInteger(max) && max >= 1) return
  throw new InvalidOption(`segmentBytesMax is ${max}; give a whole number of bytes from 1`)
}

/**
 * Bytes in segments of drawn sizes, the longest being calm.
 *
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category simulation
 */
export function* segmentsOf(
  bytes: Uint8Array,
  {
    segmentBytesMax: max,
    choice,
    label
  }: { readonly segmentBytesMax: number; readonly choice: Choice; readonly label: string }
): Generator<Uint8Array> {
  checkSegments(max)
  let at = 0
  while (at < bytes.byteLength) {
    // Drawn when the one before it was sent, whose own draws come first.
    const drawn = choice.draw(max, label)
    const segment = bytes.subarray(at, at + (drawn === 0 ? max : drawn))
    at += segment.byteLength
    yield segment
  }
}

/**
 * An end whose writes are cut in segments of drawn sizes, labelled `net/NAME/segment`.
 *
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category constructors
 */
export const segmented = (
  end: ByteEnd,
  options: SegmentOptions & { readonly choice: Choice; readonly client: string }
): ByteEnd => {
  const { segmentBytesMax, choice, client } = options
  if (segmentBytesMax === undefined) return end
  checkSegments(segmentBytesMax)
  const cut = { segmentBytesMax, choice, label: `net/${client}/segment` }
  return {
    actor: end.actor,
    name: end.name,
    get isClosed() {
      return end.isClosed
    },
    get isFinished() {
      return end.isFinished
    },
    get isDeaf() {
      return end.isDeaf
    },
    read: end.read,
    send(bytes) {
      for (const segment of segmentsOf(bytes, cut)) end.send(segment, segment.byteLength)
      return end.hasRoom()
    },
    hasRoom: end.hasRoom,
    finish: end.finish,
    close: end.close,
    reset: end.reset,
    vanish: end.vanish,
    pause: end.pause,
    resume: end.resume
  }
}

/** Who is at the ends of a pair; draws are labelled with the name of the near one. */
export interface PairOptions extends LinkOptions, SegmentOptions {
  readonly near: string
  readonly far: string
  readonly weather?: Weather | undefined
}

/**
 * A pair of connected Unix sockets: both ends are there at once.
 *
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeBytePair = (kernel: SimKernel, options: PairOptions): BytePair => pairOf(kernel, options, options.near)

const pairOf = (kernel: SimKernel, options: PairOptions, name: string): BytePair => {
  const { near, far } = options
  const net = makeConditions(kernel.choice, options)
  const conditions = net.between(near, far)
  kernel.kept.add(net.text)
  const link = makeLink<Uint8Array>({ kernel, conditions, name, near, far })
  const cut = { ...options, choice: kernel.choice, client: near }
  return { near: segmented(link.near, cut), far: segmented(link.far, cut) }
}

/** The three streams of a process, as one side of it sees them. */
export interface StdioEnds {
  readonly stdin: ByteEnd
  readonly stdout: ByteEnd
  readonly stderr: ByteEnd
}

/**
 * The standard streams of a simulated process, each a pipe of its own with its own order. The parent writes to `stdin` and
 * reads the other two. An end that is closed is seen as an end of file by a reader, and as a reset (`EPIPE`) by a writer.
 *
 * @since 0.1.0
 * @category simulation
 */
export interface StdioPair {
  readonly parent: StdioEnds
  readonly child: StdioEnds
  /** The process is gone: every end of it is closed, after what it had written. */
  exit(): void
}

/**
 * **Takes** `near`: the name of the process, `far`: of its parent
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeStdioPair = (kernel: SimKernel, options: PairOptions): StdioPair => {
  const stdin = pairOf(kernel, options, `${options.near}.stdin`)
  const stdout = pairOf(kernel, options, `${options.near}.stdout`)
  const stderr = pairOf(kernel, options, `${options.near}.stderr`)
  return {
    parent: { stdin: stdin.far, stdout: stdout.far, stderr: stderr.far },
    child: { stdin: stdin.near, stdout: stdout.near, stderr: stderr.near },
    exit() {
      for (const { near } of [stdin, stdout, stderr]) near.close()
    }
  }
}
