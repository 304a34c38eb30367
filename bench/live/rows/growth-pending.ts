import type { PlotLine } from "../../shared/report/plot.ts"
import { type Figure, type MeasureRow, sized } from "../../shared/row.ts"
import { connections, pointsOf, problemsOf, sizeText, startGrowing } from "../growth/growth-stand.ts"
import { inTurns } from "../proxy/in-turns.ts"
import { toldFigure } from "../proxy/told-figure.ts"
import { withLoad } from "../server/load.ts"

const sizes = [1, 10, 100, 1_000, 5_000, 20_000, 100_000]
const requests = 6_000

const wheres = {
  others: "pending for another endpoint",
  same: "pending for the same requests, claimed in order"
} as const

const how =
  "Each request claims an expectation of its own, over 32 connections, while so many others are pending all the time; in turns with a server " +
  "that has one pending."

export const measurePending: MeasureRow = (usual) =>
  withLoad(async (load) => {
    const some = { ...usual, repetitions: Math.min(5, usual.repetitions) }
    const figures: Array<Figure> = []
    const problems: Array<string> = []
    const lines: Array<PlotLine> = []
    for (const where of ["others", "same"] as const) {
      const told: Array<readonly [number, Figure]> = []
      const base = await startGrowing()
      await base.growing.ask({ pending: 1, where })
      for (const size of sizes) {
        const other = await startGrowing()
        await other.growing.ask({ pending: sized(size, usual), where })
        const asked = sized(requests, usual, connections)
        const claimed = async ({ growing, port }: typeof base) => {
          await growing.ask({ claims: asked })
          return load.ask({ port, kind: "completion", connections, requests: asked })
        }
        const pairs = await inTurns(
          some,
          () => claimed(base),
          () => claimed(other)
        )
        other.growing.stop()
        const what = `${sizeText(size)} ${wheres[where]}: claims per second`
        figures.push({
          ...toldFigure(what, "of one pending", pairs, ([one, more]) => one.seconds / more.seconds),
          ...(size === 5_000 && where === "others" ? { bar: { atLeast: 0.9 } } : {})
        })
        told.push([size, toldFigure(what, "/s", pairs, ([, { seconds }]) => asked / seconds)])
        problems.push(...problemsOf(what, pairs))
      }
      base.growing.stop()
      figures.push(...told.map(([, figure]) => figure))
      lines.push({ label: wheres[where], points: pointsOf(told) })
    }
    const plot = {
      title: "Claims while others are pending",
      xLabel: "pending expectations",
      yLabel: "claims per second",
      lines
    }
    return { how, figures, problems, plots: { pending: plot } }
  })
