import { type Bar, type Figure, type MeasureRow, type RowResult, type Sizes, sized } from "../../shared/row.ts"
import { inTurns } from "../proxy/in-turns.ts"
import { toldFigure } from "../proxy/told-figure.ts"
import type { ExchangeKind } from "../server/exchanges.ts"
import { withLoad } from "../server/load.ts"
import type { LoadAnswer } from "../server/load-program.ts"
import { type RunningServer, startServer } from "../server/running-server.ts"
import { bare, missingPeers, ours, peersFor, type Target } from "../server/targets.ts"

/** One measurement of a slow server ends when so much time is over. */
const secondsMax = 2

const rateOf = ({ answered, seconds }: LoadAnswer): number => answered / seconds

/** How often it is measured. */
export const repetitionsMax = 5

/** Connections at a time, and what one measurement asks over them. */
const loads: Readonly<
  Record<ExchangeKind, ReadonlyArray<{ readonly connections: number; readonly requests: number }>>
> = {
  completion: [
    { connections: 1, requests: 4_000 },
    { connections: 32, requests: 12_000 },
    { connections: 256, requests: 12_000 }
  ],
  stream: [
    { connections: 1, requests: 1_000 },
    { connections: 32, requests: 3_000 },
    { connections: 256, requests: 3_000 }
  ]
}

/** Asked before anything counts: in a new process code is still being compiled, the more the more of it there is. Short runs need it as well. */
const warmUpRequests: Readonly<Record<ExchangeKind, number>> = { completion: 20_000, stream: 10_000 }

/** What ours has to reach. */
const ratioBars: Readonly<Record<ExchangeKind, Readonly<Record<number, Bar>>>> = {
  completion: { 32: { atLeast: 0.8 } },
  stream: { 32: { atLeast: 2.2 } }
}

const firstByteBars: Readonly<Record<ExchangeKind, Readonly<Record<number, Bar>>>> = {
  completion: {},
  stream: { 1: { atMost: 0.3 } }
}

const howOf = (what: string): string =>
  `${what}, each checked by who asks, a process of its own, over connections that are kept. Each server is measured beside the bare one, ` +
  "which reads a request to its end, and writes prepared texts, events one by one. " +
  (missingPeers.length === 0 ? "" : `Not installed, and not measured: ${missingPeers.join(", ")}.`)

export const measureCompletions: MeasureRow = (sizes) =>
  measure("completion", howOf("Small answers that are no stream"), sizes)

export const measureStreams: MeasureRow = (sizes) => measure("stream", howOf("Streams of 50 chunks with text"), sizes)

const measure = (kind: ExchangeKind, how: string, usual: Sizes): Promise<RowResult> =>
  withLoad(async (load) => {
    const sizes = { ...usual, repetitions: Math.min(repetitionsMax, usual.repetitions) }
    const figures: Array<Figure> = []
    const problems = new Set<string>()
    const beside = await startServer(bare, kind, { own: {} })
    const warmUp = sized(warmUpRequests[kind], { ...sizes, share: Math.min(1, sizes.share * 10) })
    await load.ask({ port: beside.port, kind, connections: 32, requests: warmUp, secondsMax: 2 * secondsMax })
    for (const target of [ours, ...peersFor(usual)].filter(({ kinds }) => kinds.includes(kind))) {
      const server = await startServer(target, kind, sizes)
      await load.ask({ port: server.port, kind, connections: 32, requests: warmUp, secondsMax: 2 * secondsMax })
      for (const { connections, requests } of loads[kind]) {
        const asked = { kind, connections, secondsMax, requests: sized(requests, sizes, connections) }
        const measured = async ({ port, cpuSeconds }: RunningServer): Promise<Reading> => {
          const before = cpuSeconds()
          const answer = await load.ask({ ...asked, port })
          const after = cpuSeconds()
          const used = before === null || after === null ? Number.NaN : after - before
          return { ...answer, cpuSecondsEach: used / answer.answered }
        }
        const pairs = await inTurns(
          sizes,
          () => measured(beside),
          () => measured(server)
        )
        figures.push(...figuresOf({ target, kind, connections }, pairs))
        for (const { problem } of pairs.flat())
          if (problem !== null) problems.add(`${target.name}, ${connections} connections: ${problem}`)
      }
      await server.stop()
    }
    await beside.stop()
    return { how, figures, problems: [...problems] }
  })

interface Reading extends LoadAnswer {
  readonly cpuSecondsEach: number
}

interface Measured {
  readonly target: Target
  readonly kind: ExchangeKind
  readonly connections: number
}

const figuresOf = (
  { target, kind, connections }: Measured,
  pairs: ReadonlyArray<readonly [bare: Reading, other: Reading]>
): ReadonlyArray<Figure> => {
  const what = `${target.name}, ${connections} connection${connections === 1 ? "" : "s"}`
  const isOurs = target === ours
  const barred = (figure: Figure, bar: Bar | undefined): Figure =>
    isOurs && bar !== undefined ? { ...figure, bar } : figure
  const own = pairs.map(([, other]) => other)
  return [
    barred(
      toldFigure(`${what}: requests per second`, "of bare", pairs, ([one, other]) => rateOf(other) / rateOf(one)),
      ratioBars[kind][connections]
    ),
    ...cpuFigures(what, pairs),
    toldFigure(`${what}: requests per second`, "/s", own, rateOf),
    barred(
      toldFigure(`${what}: first byte, p50`, "ms", own, ({ firstByteMs }) => firstByteMs.p50),
      firstByteBars[kind][connections]
    ),
    toldFigure(`${what}: first byte, p99`, "ms", own, ({ firstByteMs }) => firstByteMs.p99),
    ...(isOurs
      ? bareFigures(
          connections,
          pairs.map(([one]) => one)
        )
      : [])
  ]
}

/** Left out where the system does not tell, and where the time was too short for it. */
const cpuFigures = (
  what: string,
  pairs: ReadonlyArray<readonly [bare: Reading, other: Reading]>
): ReadonlyArray<Figure> => {
  const told = pairs.filter(([one, other]) => one.cpuSecondsEach > 0 && other.cpuSecondsEach > 0)
  if (told.length < pairs.length) return []
  const ratioOf = ([one, other]: readonly [bare: Reading, other: Reading]): number =>
    other.cpuSecondsEach / one.cpuSecondsEach
  return [toldFigure(`${what}: CPU time for a request`, "× bare", told, ratioOf)]
}

/** Told once, of the measurements beside ours. */
const bareFigures = (connections: number, made: ReadonlyArray<LoadAnswer>): ReadonlyArray<Figure> => {
  const what = `bare, ${connections} connection${connections === 1 ? "" : "s"}`
  return [
    toldFigure(`${what}: requests per second`, "/s", made, rateOf),
    toldFigure(`${what}: first byte, p50`, "ms", made, ({ firstByteMs }) => firstByteMs.p50),
    toldFigure(`${what}: first byte, p99`, "ms", made, ({ firstByteMs }) => firstByteMs.p99)
  ]
}
