import { type Figure, type MeasureRow, type RowResult, type Sizes, sized } from "../../shared/row.ts"
import { frameBlocks } from "../proxy/frame-blocks.ts"
import { inTurns, repeated } from "../proxy/in-turns.ts"
import { plans } from "../proxy/plans.ts"
import { type Stand, type StoodProxy, withStand } from "../proxy/stand.ts"
import { toldFigure } from "../proxy/told-figure.ts"

const bodyBytes = 100

/** What one measurement sends, one after the other. */
const timesEach = 10_000

const how =
  "Over a Unix socket one frame of 100 bytes is sent and comes back from an echo, 10,000 times one after the other, each checked: here a " +
  "proxy cannot take many frames together. Processes as above."

export const measureRoundTrips: MeasureRow = (sizes) => withStand("unix", sizes, (stand) => measure(stand, sizes))

const measure = async (stand: Stand, sizes: Sizes): Promise<RowResult> => {
  const times = sized(timesEach, sizes, 10)
  await stand.sendToEach({ bodyBytes, blocks: 0 })
  const roundTrips = async ({ address }: Pick<StoodProxy, "address">): Promise<RoundTrips> => {
    const { bytes, seconds, wrongAt } = await stand.ask({ echo: address, bodyBytes, times })
    const came = bytes / frameBlocks(bodyBytes).frameBytes
    const lost = came === times ? null : `${came} frames came back of ${times}`
    return { seconds: seconds / times, problem: wrongAt === null ? lost : `byte ${wrongAt} is wrong` }
  }
  const figures: Array<Figure> = []
  const problems = new Set<string>()
  const direct = await repeated(sizes, () => roundTrips({ address: stand.direct }))
  figures.push(microseconds("without a proxy", direct))
  const pipe = await stand.startProxy("pipe")
  for (const [what, kind] of Object.entries(kinds)) {
    const proxy = await stand.startProxy(kind)
    const pairs = await inTurns(
      sizes,
      () => roundTrips(pipe),
      () => roundTrips(proxy)
    )
    proxy.stop()
    figures.push(
      toldFigure(`${what}: time to and fro`, "× pipe", pairs, ([pipe, other]) => other.seconds / pipe.seconds),
      microseconds(
        `${what}: through it`,
        pairs.map(([, other]) => other)
      ),
      microseconds(
        `${what}: through pipe`,
        pairs.map(([pipe]) => pipe)
      )
    )
    for (const { problem } of [...direct, ...pairs.flat()]) if (problem !== null) problems.add(`${what}: ${problem}`)
  }
  return { how, figures, problems: [...problems] }
}

const kinds = {
  "our sockets, no frames": "bare",
  "empty plan": plans.empty,
  "a rule that looks into each frame": plans.looking
} as const

interface RoundTrips {
  /** For one. */
  readonly seconds: number
  readonly problem: string | null
}

const microseconds = (what: string, made: ReadonlyArray<RoundTrips>): Figure =>
  toldFigure(what, "µs", made, ({ seconds }) => seconds * 1_000_000)
