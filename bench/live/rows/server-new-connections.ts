import { type Figure, type MeasureRow, sized } from "../../shared/row.ts"
import { inTurns } from "../proxy/in-turns.ts"
import { toldFigure } from "../proxy/told-figure.ts"
import { withLoad } from "../server/load.ts"
import { startServer } from "../server/running-server.ts"
import { bare, missingPeers, ours, peersFor } from "../server/targets.ts"

const connections = 256
const times = 15

const how =
  "256 connections are made at once, and each asks for a small answer as soon as it is there: until the last has its answer. 15 times in turns " +
  "with the bare server. " +
  (missingPeers.length === 0 ? "" : `Not installed, and not measured: ${missingPeers.join(", ")}.`)

export const measureNewConnections: MeasureRow = (usual) =>
  withLoad(async (load) => {
    const sizes = { ...usual, repetitions: sized(times, usual, 1) }
    const figures: Array<Figure> = []
    const problems = new Set<string>()
    const beside = await startServer(bare, "completion", { own: {} })
    for (const target of [ours, ...peersFor(usual)].filter(({ kinds }) => kinds.includes("completion"))) {
      const server = await startServer(target, "completion", sizes)
      const burst = (port: number) =>
        load.ask({ port, kind: "completion", connections, requests: connections, areNew: true })
      const pairs = await inTurns(
        sizes,
        () => burst(beside.port),
        () => burst(server.port)
      )
      await server.stop()
      figures.push(
        {
          ...toldFigure(
            `${target.name}: last of them answered`,
            "× bare",
            pairs,
            ([one, other]) => other.seconds / one.seconds
          ),
          ...(target === ours ? { bar: { atMost: 1.3 } } : {})
        },
        toldFigure(`${target.name}: last of them answered`, "ms", pairs, ([, { seconds }]) => seconds * 1_000),
        ...(target === ours
          ? [toldFigure("bare: last of them answered", "ms", pairs, ([{ seconds }]) => seconds * 1_000)]
          : [])
      )
      for (const { problem } of pairs.flat()) if (problem !== null) problems.add(`${target.name}: ${problem}`)
    }
    await beside.stop()
    return { how, figures, problems: [...problems] }
  })
