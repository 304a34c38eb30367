import { type Figure, type MeasureRow, type RowResult, type Sizes, sized } from "../../shared/row.ts"
import { frameBlocks } from "../proxy/frame-blocks.ts"
import { inTurns, repeated, warmUps } from "../proxy/in-turns.ts"
import { plans } from "../proxy/plans.ts"
import type { ProxyKind } from "../proxy/proxy-program.ts"
import { type Stand, type StoodProxy, withStand } from "../proxy/stand.ts"
import { toldFigure } from "../proxy/told-figure.ts"

/** Frames of which streams are made, and the bytes of a body. */
const frames: Readonly<Record<string, number>> = { "100-byte frames": 100, "64-KiB frames": 65_536 }

/** What one measurement sends. */
const bytesEach = 512 * 1_024 * 1_024

interface Side {
  readonly what: string
  readonly kind: ProxyKind
  /** How much of what pipe does has to be reached. */
  readonly atLeast?: number
  /** What is sent of the usual amount. */
  readonly sentShare?: number
}

const sides: ReadonlyArray<Side> = [
  { what: "pipe itself", kind: "pipe" },
  { what: "our sockets, no frames", kind: "bare" },
  { what: "empty plan", kind: plans.empty, atLeast: 0.6 },
  { what: "a rule for a frame far away", kind: plans.farAway },
  // Frame by frame it takes much longer.
  { what: "a rule that looks into each frame", kind: plans.looking, sentShare: 1 / 16 }
]

const how =
  "A sender, a receiver and each proxy are a process; the receiver reads into one buffer and compares every byte. One connection " +
  `carries 512 MiB of frames with bodies of JSON, sent in blocks of 256 KiB, after ${warmUps} that warm up; 32 MiB where a rule looks into each frame.`

export const measureUnixThroughput: MeasureRow = (sizes) => withStand("unix", sizes, (stand) => measure(stand, sizes))

export const measureTcpThroughput: MeasureRow = (sizes) => withStand("tcp", sizes, (stand) => measure(stand, sizes))

const measure = async (stand: Stand, sizes: Sizes): Promise<RowResult> => {
  const figures: Array<Figure> = []
  const problems = new Set<string>()
  for (const [what, bodyBytes] of Object.entries(frames)) {
    const past = await transfers(stand, bodyBytes, sizes)
    const direct = await repeated(sizes, () => past({ address: stand.direct }))
    figures.push(mebibytes(`${what}, without a proxy`, direct))
    const pipe = await stand.startProxy("pipe")
    for (const side of sides) {
      const proxy = await stand.startProxy(side.kind)
      const transfer = await transfers(stand, bodyBytes, { ...sizes, share: sizes.share * (side.sentShare ?? 1) })
      const pairs = await inTurns(
        sizes,
        () => transfer(pipe),
        () => transfer(proxy)
      )
      proxy.stop()
      figures.push(...figuresOf(`${what}, ${side.what}`, side, pairs))
      for (const { problem } of [...direct, ...pairs.flat()])
        if (problem !== null) problems.add(`${what}, ${side.what}: ${problem}`)
    }
    pipe.stop()
  }
  return { how, figures, problems: [...problems] }
}

interface Transfer {
  readonly bytesPerSecond: number
  /** Of the proxy. */
  readonly cpuSecondsPerByte: number
  readonly problem: string | null
}

/** How a stream of such frames is sent through a proxy, or past all. */
const transfers = async (stand: Stand, bodyBytes: number, sizes: Sizes) => {
  const { frameBytes, framesEach } = frameBlocks(bodyBytes)
  const blocks = sized(Math.round(bytesEach / (frameBytes * framesEach)), sizes, 4)
  const expected = blocks * framesEach * frameBytes
  await stand.sendToEach({ bodyBytes, blocks })
  return async (proxy: Pick<StoodProxy, "address"> & Partial<StoodProxy>): Promise<Transfer> => {
    const before = await proxy.usage?.()
    const { bytes, seconds, wrongAt } = await stand.ask({ receive: proxy.address, bodyBytes })
    const after = await proxy.usage?.()
    const lost = bytes === expected ? null : `${bytes / frameBytes} frames came of ${expected / frameBytes}`
    return {
      bytesPerSecond: bytes / seconds,
      cpuSecondsPerByte: ((after?.cpuSeconds ?? 0) - (before?.cpuSeconds ?? 0)) / bytes,
      problem: wrongAt === null ? lost : `byte ${wrongAt} is wrong`
    }
  }
}

const figuresOf = (
  what: string,
  { atLeast }: Side,
  pairs: ReadonlyArray<readonly [pipe: Transfer, other: Transfer]>
): ReadonlyArray<Figure> => [
  {
    ...toldFigure(
      `${what}: bytes per second`,
      "of pipe",
      pairs,
      ([pipe, other]) => other.bytesPerSecond / pipe.bytesPerSecond
    ),
    ...(atLeast === undefined ? {} : { bar: { atLeast } })
  },
  toldFigure(
    `${what}: CPU time for a byte`,
    "× pipe",
    pairs,
    ([pipe, other]) => other.cpuSecondsPerByte / pipe.cpuSecondsPerByte
  ),
  mebibytes(
    `${what}: through it`,
    pairs.map(([, other]) => other)
  ),
  mebibytes(
    `${what}: through pipe`,
    pairs.map(([pipe]) => pipe)
  )
]

const mebibytes = (what: string, transfers: ReadonlyArray<Transfer>): Figure =>
  toldFigure(what, "MiB/s", transfers, ({ bytesPerSecond }) => bytesPerSecond / 1_048_576)
