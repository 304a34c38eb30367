import { type Figure, type MeasureRow, sized } from "../../shared/row.ts"
import { connections, pointsOf, problemsOf, sizeText, startGrowing } from "../growth/growth-stand.ts"
import { inTurns } from "../proxy/in-turns.ts"
import { toldFigure } from "../proxy/told-figure.ts"
import { withLoad } from "../server/load.ts"

const sizes = [1, 100, 1_000, 10_000, 100_000]
const requests = 10_000

const how =
  "Small answers over 32 connections while the log keeps so many requests with all their text, and is full; in turns with a server whose log keeps " +
  "one."

export const measureLog: MeasureRow = (usual) =>
  withLoad(async (load) => {
    const some = { ...usual, repetitions: Math.min(5, usual.repetitions) }
    const problems: Array<string> = []
    const figures: Array<Figure> = []
    const told: Array<readonly [number, Figure]> = []
    const asked = sized(requests, usual, connections)
    const full = async (logEntriesMax: number) => {
      const started = await startGrowing({ logEntriesMax, logBytesMax: 1_024 ** 3 })
      const { problem } = await load.ask({
        port: started.port,
        kind: "completion",
        connections,
        requests: Math.max(logEntriesMax, connections)
      })
      if (problem !== null) problems.push(problem)
      return started
    }
    const base = await full(1)
    for (const size of sizes) {
      const other = await full(sized(size, usual))
      const pairs = await inTurns(
        some,
        () => load.ask({ port: base.port, kind: "completion", connections, requests: asked }),
        () => load.ask({ port: other.port, kind: "completion", connections, requests: asked })
      )
      other.growing.stop()
      const what = `${sizeText(size)} requests in the log: requests per second`
      figures.push(toldFigure(what, "of one", pairs, ([one, more]) => one.seconds / more.seconds))
      told.push([size, toldFigure(what, "/s", pairs, ([, { seconds }]) => asked / seconds)])
      problems.push(...problemsOf(what, pairs))
    }
    base.growing.stop()
    const plot = {
      title: "Requests while the log is full",
      xLabel: "requests that the log keeps",
      yLabel: "requests per second",
      lines: [{ label: "small answers, 32 connections", points: pointsOf(told) }]
    }
    return { how, figures: [...figures, ...told.map(([, figure]) => figure)], problems, plots: { log: plot } }
  })
