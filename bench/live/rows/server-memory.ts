import { type Bar, type Figure, type MeasureRow, type RowResult, type Sizes, sized } from "../../shared/row.ts"
import { toldFigure } from "../proxy/told-figure.ts"
import type { Load } from "../server/load.ts"
import { withLoad } from "../server/load.ts"
import { startServer } from "../server/running-server.ts"
import { bare, missingPeers, ours, peersFor, type Target } from "../server/targets.ts"

const repetitionsMax = 5
const mebibyte = 1_024 * 1_024
const requests = 10_000
const longPrompt = 32 * 1_024

const how =
  "What the system says that the process holds (VmRSS): when it has answered once, and after 10,000 requests over 32 connections, with small " +
  "prompts or with prompts of 32 KiB, each in a process of its own, and after 10,000 of these more. " +
  (missingPeers.length === 0 ? "" : `Not installed, and not measured: ${missingPeers.join(", ")}.`)

const bars: Readonly<Record<string, Bar>> = {
  idle: { atMost: 55 },
  "10,000 × 32 KiB": { atMost: 130 },
  "20,000 × 32 KiB": { atMost: 130 }
}

export const measureServerMemory: MeasureRow = (usual) =>
  withLoad(async (load): Promise<RowResult> => {
    const sizes = { ...usual, repetitions: Math.min(repetitionsMax, usual.repetitions) }
    const problems = new Set<string>()
    const figures: Array<Figure> = []
    for (const target of [bare, ours, ...peersFor(usual)].filter(({ kinds }) => kinds.includes("completion"))) {
      const made: Array<Readings> = []
      for (let time = 0; time < sizes.repetitions; time++) made.push(await read(target, load, sizes))
      for (const { problem } of made) if (problem !== null) problems.add(`${target.name}: ${problem}`)
      for (const what of Object.keys(made[0]?.mebibytes ?? {})) {
        const bar = target === ours ? bars[what] : undefined
        figures.push({
          ...toldFigure(`${target.name}: ${what}`, "MiB", made, ({ mebibytes }) => mebibytes[what] ?? Number.NaN),
          ...(bar === undefined ? {} : { bar })
        })
      }
    }
    return { how, figures, problems: [...problems] }
  })

interface Readings {
  readonly mebibytes: Readonly<Record<string, number>>
  readonly problem: string | null
}

const read = async (target: Target, load: Load, sizes: Sizes): Promise<Readings> => {
  const problems: Array<string> = []
  const started = () => startServer(target, "completion", sizes)
  const asked = async (port: number, promptBytes: number): Promise<void> => {
    const { problem } = await load.ask({
      port,
      kind: "completion",
      connections: 32,
      requests: sized(requests, sizes, 32),
      promptBytes
    })
    if (problem !== null) problems.push(problem)
  }
  const small = await started()
  const idle = held(small.rssBytes())
  await asked(small.port, 5)
  const afterSmall = held(small.rssBytes())
  await small.stop()
  const large = await started()
  await asked(large.port, longPrompt)
  const afterLarge = held(large.rssBytes())
  await asked(large.port, longPrompt)
  const afterMore = held(large.rssBytes())
  await large.stop()
  return {
    mebibytes: {
      idle,
      "10,000 small": afterSmall,
      "10,000 × 32 KiB": afterLarge,
      "20,000 × 32 KiB": afterMore
    },
    problem: problems[0] ?? null
  }
}

const held = (bytes: number | null): number => (bytes === null ? Number.NaN : bytes / mebibyte)
