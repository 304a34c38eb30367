import type { PlotLine } from "../../shared/report/plot.ts"
import { type Figure, type MeasureRow, sized } from "../../shared/row.ts"
import { pointsOf, problemsOf } from "../growth/growth-stand.ts"
import { inTurns } from "../proxy/in-turns.ts"
import { toldFigure } from "../proxy/told-figure.ts"
import { withLoad } from "../server/load.ts"
import { startServer } from "../server/running-server.ts"
import { bare, ours } from "../server/targets.ts"

const kibibyte = 1_024
const mebibyte = kibibyte * kibibyte
const sizes = [kibibyte, 32 * kibibyte, mebibyte, 16 * mebibyte, 64 * mebibyte]

/** What one measurement sends, but not more often than this. */
const bytesEach = 192 * mebibyte
const requestsMax = 4_000

const how =
  "Requests with prompts of this size, one after the other over one connection, in turns with the bare server, which reads and parses them as well."

const nameOf = (bytes: number): string => (bytes < mebibyte ? `${bytes / kibibyte} KiB` : `${bytes / mebibyte} MiB`)

export const measureBodies: MeasureRow = (usual) =>
  withLoad(async (load) => {
    const some = { ...usual, repetitions: Math.min(5, usual.repetitions) }
    const problems: Array<string> = []
    const figures: Array<Figure> = []
    const rates: Array<readonly [number, Figure]> = []
    const bareRates: Array<readonly [number, Figure]> = []
    const [beside, server] = [
      await startServer(bare, "completion", { own: {} }),
      await startServer(ours, "completion", usual)
    ]
    for (const size of sizes) {
      const requests = sized(Math.max(2, Math.min(requestsMax, Math.round(bytesEach / size))), usual)
      const asked = { kind: "completion", connections: 1, requests, promptBytes: size } as const
      const pairs = await inTurns(
        some,
        () => load.ask({ ...asked, port: beside.port }),
        () => load.ask({ ...asked, port: server.port })
      )
      const what = `bodies of ${nameOf(size)}`
      const rateOf = (seconds: number): number => (requests * size) / mebibyte / seconds
      figures.push(
        toldFigure(`${what}: bytes per second`, "of bare", pairs, ([one, more]) => one.seconds / more.seconds)
      )
      rates.push([size, toldFigure(`${what}: bytes per second`, "MiB/s", pairs, ([, { seconds }]) => rateOf(seconds))])
      bareRates.push([
        size,
        toldFigure(`${what}, bare: bytes per second`, "MiB/s", pairs, ([{ seconds }]) => rateOf(seconds))
      ])
      problems.push(...problemsOf(what, pairs))
    }
    for (const one of [beside, server]) await one.stop()
    const lines: ReadonlyArray<PlotLine> = [
      { label: "ours", points: pointsOf(rates) },
      { label: "bare node:http", points: pointsOf(bareRates) }
    ]
    const plot = { title: "Long requests", xLabel: "bytes of a prompt", yLabel: "MiB per second", lines }
    return {
      how,
      figures: [...figures, ...rates.map(([, figure]) => figure), ...bareRates.map(([, figure]) => figure)],
      problems,
      plots: { bodies: plot }
    }
  })
