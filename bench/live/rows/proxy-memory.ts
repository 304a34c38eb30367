import { setTimeout } from "node:timers/promises"
import { type Figure, type MeasureRow, type RowResult, type Sizes, sized } from "../../shared/row.ts"
import { frameBlocks } from "../proxy/frame-blocks.ts"
import { plans } from "../proxy/plans.ts"
import type { ProxyAnswer, ProxyKind } from "../proxy/proxy-program.ts"
import { type Stand, type StoodProxy, withStand } from "../proxy/stand.ts"

const mebibyte = 1_024 * 1_024

/** What is sent to one who does not read. */
const stuckBytes = 256 * mebibyte

/** More frames than an event log keeps events, one after the other, so that the log is full in what is measured. */
const framesBefore = 12_000

/** What goes through a proxy that is to hold no more afterwards. */
const framesThrough = 1_000_000

const stuck: ReadonlyArray<{ readonly what: string; readonly kind: ProxyKind; readonly bodyBytes: number }> = [
  { what: "frames of 1 MiB, empty plan", kind: plans.empty, bodyBytes: mebibyte },
  { what: "frames of 1 MiB, each looked into", kind: plans.looking, bodyBytes: mebibyte },
  { what: "frames of 100 bytes, empty plan", kind: plans.empty, bodyBytes: 100 },
  { what: "frames of 100 bytes, each looked into", kind: plans.looking, bodyBytes: 100 },
  { what: "frames of 1 MiB, pipe", kind: "pipe", bodyBytes: mebibyte }
]

const how =
  "What a proxy holds is the heap with buffers outside of it when garbage is collected; its process takes more. While the receiver does " +
  "not read, the sender sends 256 MiB, until nothing has left it for a second; then all is read, and every byte compared. Before, " +
  "the event log was filled by 12,000 frames one after the other."

export const measureProxyMemory: MeasureRow = (sizes) => withStand("unix", sizes, (stand) => measure(stand, sizes))

const measure = async (stand: Stand, sizes: Sizes): Promise<RowResult> => {
  const figures: Array<Figure> = []
  const problems: Array<string> = []
  for (const { what, kind, bodyBytes } of stuck) {
    const proxy = await startedProxy(stand, kind, sizes)
    const told = await withStuckReader(stand, proxy, bodyBytes, sizes)
    const isOurs = kind !== "pipe"
    figures.push(
      {
        ...growth(`stuck reader, ${what}: held`, told.before.heldBytes, told.stuck.heldBytes),
        ...(isOurs ? { bar: { atMost: 4 } } : {})
      },
      growth(`stuck reader, ${what}: process`, told.before.rssBytes, told.stuck.rssBytes),
      {
        what: `stuck reader, ${what}: left the sender, in blocks of 256 KiB or a frame`,
        value: told.sentBytes / mebibyte,
        unit: "MiB"
      }
    )
    if (told.problem !== null) problems.push(`${what}: ${told.problem}`)
    proxy.stop()
  }
  for (const [what, kind] of Object.entries(through)) {
    const proxy = await startedProxy(stand, kind, sizes)
    const { readings, problem } = await afterFrames(stand, proxy, sizes)
    const [before, first, last] = readings
    proxy.stop()
    if (before === undefined || first === undefined || last === undefined) throw new Error("too few readings")
    figures.push(
      {
        ...growth(`after 1,000,000 frames, ${what}: held`, before.heldBytes, first.heldBytes),
        ...(kind === "pipe" ? {} : { bar: { atMost: 4 } })
      },
      {
        ...growth(`after 2,000,000 more, ${what}: held`, first.heldBytes, last.heldBytes),
        ...(kind === "pipe" ? {} : { bar: { atMost: 1 } })
      },
      growth(`after all of them, ${what}: process`, before.rssBytes, last.rssBytes)
    )
    if (problem !== null) problems.push(`1,000,000 frames, ${what}: ${problem}`)
  }
  return { how, figures, problems }
}

const through: Readonly<Record<string, ProxyKind>> = { "empty plan": plans.empty, pipe: "pipe" }

const startedProxy = async (stand: Stand, kind: ProxyKind, sizes: Sizes): Promise<StoodProxy> => {
  const proxy = await stand.startProxy(kind, ["--expose-gc"])
  await stand.sendToEach({ bodyBytes: 100, blocks: 0 })
  await stand.ask({ echo: proxy.address, bodyBytes: 100, times: sized(framesBefore, sizes, 10) })
  return proxy
}

interface Stuck {
  readonly before: ProxyAnswer
  readonly stuck: ProxyAnswer
  readonly sentBytes: number
  readonly problem: string | null
}

const withStuckReader = async (stand: Stand, proxy: StoodProxy, bodyBytes: number, sizes: Sizes): Promise<Stuck> => {
  const { frameBytes, framesEach } = frameBlocks(bodyBytes)
  const blocks = sized(Math.ceil(stuckBytes / (frameBytes * framesEach)), sizes, 16)
  await stand.sendToEach({ bodyBytes, blocks })
  const before = await proxy.usage()
  await stand.ask({ ignore: proxy.address, bodyBytes })
  const sentBytes = await restingBytes(stand)
  const stuck = await proxy.usage()
  const { bytes, wrongAt } = await stand.ask({ goOn: true })
  const expected = blocks * framesEach * frameBytes
  const lost = bytes === expected ? null : `${bytes / frameBytes} frames came of ${expected / frameBytes}`
  const unheld = sentBytes < expected ? null : "the sender did not have to wait"
  return { before, stuck, sentBytes, problem: wrongAt === null ? (lost ?? unheld) : `byte ${wrongAt} is wrong` }
}

/** How often the sender is asked, and how often it has to say the same. */
const pollMs = 100
const samePolls = 10

/** What has left the sender when no more leaves it. */
const restingBytes = async (stand: Stand): Promise<number> => {
  let last = await stand.sentBytes()
  for (let same = 0; same < samePolls; ) {
    await setTimeout(pollMs)
    const now = await stand.sentBytes()
    same = now === last && now !== null ? same + 1 : 0
    last = now
  }
  return last ?? 0
}

const afterFrames = async (
  stand: Stand,
  proxy: StoodProxy,
  sizes: Sizes
): Promise<{ readonly readings: ReadonlyArray<ProxyAnswer>; readonly problem: string | null }> => {
  const bodyBytes = 100
  const { framesEach, frameBytes } = frameBlocks(bodyBytes)
  const blocks = sized(Math.ceil(framesThrough / framesEach), sizes, 4)
  const readings = [await proxy.usage()]
  let problem: string | null = null
  for (const times of [1, 2]) {
    await stand.sendToEach({ bodyBytes, blocks: blocks * times })
    const { bytes, wrongAt } = await stand.ask({ receive: proxy.address, bodyBytes })
    if (wrongAt !== null) problem ??= `byte ${wrongAt} is wrong`
    if (bytes !== blocks * times * framesEach * frameBytes) problem ??= `${bytes / frameBytes} frames came`
    readings.push(await proxy.usage())
  }
  return { readings, problem }
}

const growth = (what: string, before: number, after: number): Figure => ({
  what,
  value: (after - before) / mebibyte,
  unit: "MiB more"
})
