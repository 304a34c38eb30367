import { setTimeout } from "node:timers/promises"
import { type Figure, type MeasureRow, type Sizes, sized } from "../../shared/row.ts"
import {
  connections,
  pointsOf,
  problemsOf,
  type Readers,
  sizeText,
  startGrowing,
  startReaders
} from "../growth/growth-stand.ts"
import { inTurns } from "../proxy/in-turns.ts"
import { toldFigure } from "../proxy/told-figure.ts"
import { withLoad } from "../server/load.ts"

/** The last is what a process may have open here, less what the load needs. */
const sizes = [1, 10, 100, 1_000, 5_000, 10_000, 19_500]
const requests = 10_000

const how =
  "Small answers over 32 connections while so many streams stand before their last event, each on a connection of its own; in turns with a " +
  "server that has one. Then they are let go, and every event is counted. A process of the machine may have 20,000 files open, so that 19,500 stand for 20,000."

/** Holds so many streams at a server, and hands it over. */
const holding = async (readers: Readers, count: number) => {
  const started = await startGrowing()
  await started.growing.ask({ held: count })
  await readers.ask({ port: started.port, ask: count })
  while ((await started.growing.ask({ usage: true })).claimed < count) await setTimeout(10)
  return {
    ...started,
    async letGo(): Promise<string | null> {
      const reading = readers.ask({ readAll: true })
      await started.growing.ask({ letGo: true })
      const { events, problem } = await reading
      started.growing.stop()
      return problem ?? (events === 3 * count ? null : `${events} events came of ${3 * count}`)
    }
  }
}

export const measureCopies: MeasureRow = (usual: Sizes) =>
  withLoad(async (load) => {
    const some = { ...usual, repetitions: Math.min(5, usual.repetitions) }
    const problems: Array<string> = []
    const figures: Array<Figure> = []
    const told: Array<readonly [number, Figure]> = []
    const [few, many] = [startReaders(), startReaders()]
    const base = await holding(few, 1)
    const asked = sized(requests, usual, connections)
    for (const size of sizes) {
      const other = await holding(many, sized(size, usual))
      const pairs = await inTurns(
        some,
        () => load.ask({ port: base.port, kind: "completion", connections, requests: asked }),
        () => load.ask({ port: other.port, kind: "completion", connections, requests: asked })
      )
      const what = `${sizeText(size)} in flight: requests per second`
      const lost = await other.letGo()
      if (lost !== null) problems.push(`${what}: ${lost}`)
      figures.push(toldFigure(what, "of one in flight", pairs, ([one, more]) => one.seconds / more.seconds))
      told.push([size, toldFigure(what, "/s", pairs, ([, { seconds }]) => asked / seconds)])
      problems.push(...problemsOf(what, pairs))
    }
    const lost = await base.letGo()
    if (lost !== null) problems.push(`one in flight: ${lost}`)
    for (const readers of [few, many]) readers.stop()
    const plot = {
      title: "Requests while streams are held",
      xLabel: "streams in flight",
      yLabel: "requests per second",
      lines: [{ label: "small answers, 32 connections", points: pointsOf(told) }]
    }
    return { how, figures: [...figures, ...told.map(([, figure]) => figure)], problems, plots: { copies: plot } }
  })
