import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { parseArgs } from "node:util"
import { type Child, startChild } from "../shared/child.ts"
import { plotSvg } from "../shared/report/plot.ts"
import { readSurroundings } from "../shared/report/surroundings.ts"
import { type Drift, driftOf } from "./flatness.ts"
import type { ClientsAnswer, ClientsQuestion } from "./soak-clients.ts"
import type { Sample, SoakQuestion } from "./soak-server.ts"

const usage = `Usage: npm run soak -- [--minutes N] [--clients N] [--seed N] [--out FOLDER]

Lets clients do everything at once with a server: answers, streams, barriers, a gate, queues, faults, clients that leave, long
prompts, and scenarios that take each other's place. Memory, open files and the delay of the event loop are looked at every
two seconds, and have to stay as they are; at the end every request has to have ended once, and every call to have one claim.

  --minutes N    how long (default 10)
  --clients N    how many clients (default 48)
  --seed N       what they do follows from it, as far as time lets it (default 1)
  --out FOLDER   where RESULTS-soak.md, results/soak.json and plots/soak-*.svg go (default: nowhere)

Exits 0 when all of that holds; 1 when it does not; 2 for a bad command line.
`

const root = process.env["UNDERSTUDY_BENCH_ROOT"] ?? process.cwd()
const lookMs = 2_000

interface Asked {
  readonly minutes: number
  readonly clients: number
  readonly seed: number
  readonly out: string | null
}

const read = (args: ReadonlyArray<string>): Asked | string => {
  try {
    const text = { type: "string" } as const
    const { values } = parseArgs({ args: [...args], options: { minutes: text, clients: text, seed: text, out: text } })
    const number = (name: "minutes" | "clients" | "seed", usual: number): number => {
      const value = Number(values[name] ?? usual)
      if (Number.isFinite(value) && value > 0) return value
      throw new Error(`--${name} is ${JSON.stringify(values[name])}; give a number above 0`)
    }
    return {
      minutes: number("minutes", 10),
      clients: Math.ceil(number("clients", 48)),
      seed: number("seed", 1),
      out: values.out ?? null
    }
  } catch (error) {
    return error instanceof Error ? error.message : `${error}`
  }
}

const soak = async ({ minutes, clients, seed }: Asked) => {
  const server: Child<SoakQuestion, Sample> = startChild(new URL("./soak-server.js", import.meta.url), ["--expose-gc"])
  const crowd: Child<ClientsQuestion, ClientsAnswer> = startChild(new URL("./soak-clients.js", import.meta.url))
  try {
    const { port } = await server.ask({ start: true, seed })
    await crowd.ask({ start: true, port, clients, seed })
    const samples: Array<Sample> = []
    const until = performance.now() + minutes * 60_000
    while (performance.now() < until) {
      await setTimeout(Math.min(lookMs, minutes * 6_000))
      const sample = await server.ask({ sample: true })
      samples.push(sample)
      const { heapMiB, rssMiB, files, delayP99Ms, requests } = sample
      const shown = [`heap ${heapMiB.toFixed(1)} MiB`, `process ${rssMiB.toFixed(0)} MiB`, `${files} files`]
      process.stderr.write(`${requests} requests, ${shown.join(", ")}, delay p99 ${delayP99Ms.toFixed(1)} ms\n`)
      if (sample.problems.length > 0) break
    }
    const came = await crowd.ask({ end: true })
    const end = await server.ask({ end: true })
    return { samples, came, end }
  } finally {
    for (const child of [server, crowd]) child.stop()
  }
}

const driftsOf = (samples: ReadonlyArray<Sample>, clients: number): ReadonlyArray<Drift> => [
  driftOf(
    { what: "heap, when garbage is collected", unit: "MiB" },
    samples.map(({ heapMiB }) => heapMiB),
    (first) => first + 4
  ),
  driftOf(
    { what: "memory of the process", unit: "MiB" },
    samples.map(({ rssMiB }) => rssMiB),
    (first) => first * 1.15 + 8
  ),
  // Connections come and go.
  driftOf(
    { what: "open files", unit: "" },
    samples.map(({ files }) => files),
    (first) => first + clients / 4
  ),
  driftOf(
    { what: "delay of the event loop, p99", unit: "ms" },
    samples.map(({ delayP99Ms }) => delayP99Ms),
    (first) => first * 2 + 5
  )
]

const lostIn = ({ came, end }: Pick<Awaited<ReturnType<typeof soak>>, "came" | "end">): ReadonlyArray<string> => {
  const asked = Object.values(came.done).reduce((sum, count) => sum + count, 0)
  const ended = Object.values(end.outcomes).reduce((sum, count) => sum + count, 0)
  return [
    ...came.problems.map((problem) => `a client: ${problem}`),
    ...end.problems,
    ...(asked === end.requests
      ? []
      : [`clients have asked ${asked} times, the server was asked ${end.requests} times`]),
    ...(ended === end.requests ? [] : [`${end.requests} requests came, and ${ended} have ended`])
  ]
}

const textOf = (
  asked: Asked,
  drifts: ReadonlyArray<Drift>,
  { came, end }: Awaited<ReturnType<typeof soak>>,
  problems: ReadonlyArray<string>
): string => {
  const where = readSurroundings(
    { packages: ["effect", "xstate"], sources: ["src", "machines", "bench/soak", "bench/shared"] },
    root
  )
  const counts = (all: Readonly<Record<string, number>>): string =>
    Object.entries(all)
      .map(([name, count]) => `${name} ${count.toLocaleString("en-US")}`)
      .join(", ")
  return `${[
    "# A soak, and what stayed as it was",
    "",
    `Measured by \`npm run soak -- --minutes ${asked.minutes}\` on ${where.at} (UTC): ${where.machine}; Node ${where.node}; commit ${where.commit}; ${asked.clients} clients, seed ${asked.seed}.`,
    "",
    "| reading | first third | last third | at most | |",
    "| --- | --- | --- | --- | --- |",
    ...drifts.map(
      ({ what, unit, first, last, bound, isFlat }) =>
        `| ${what} | ${first.toFixed(1)} ${unit} | ${last.toFixed(1)} ${unit} | ${bound.toFixed(1)} | ${isFlat ? "flat" : "grows"} |`
    ),
    "",
    `* ${end.requests.toLocaleString("en-US")} requests: ${counts(came.done)}.`,
    `* They ended: ${counts(end.outcomes)}.`,
    `* ${end.primaries.toLocaleString("en-US")} calls were claimed, and ${end.replays} copies joined one; scenarios took each other's place ${end.reloads.toLocaleString("en-US")} times.`,
    problems.length === 0
      ? "* Every request has ended once, every call was claimed by one request, and nothing was lost."
      : `* Wrong:\n${problems.map((problem) => `  * ${problem}`).join("\n")}`
  ].join("\n")}\n`
}

const keep = (folder: string, text: string, samples: ReadonlyArray<Sample>): void => {
  for (const name of ["results", "plots"]) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, "RESULTS-soak.md"), text)
  writeFileSync(join(folder, "results/soak.json"), `${JSON.stringify(samples)}\n`)
  const over = (readingOf: (sample: Sample) => number) =>
    samples.map((sample, place) => [((place + 1) * lookMs) / 60_000, readingOf(sample)] as const)
  const plot = {
    title: "Memory over a soak",
    xLabel: "minutes",
    yLabel: "MiB",
    isLinear: true,
    lines: [
      { label: "process", points: over(({ rssMiB }) => rssMiB) },
      { label: "heap", points: over(({ heapMiB }) => heapMiB) }
    ]
  }
  writeFileSync(join(folder, "plots/soak-memory.svg"), plotSvg(plot))
}

const asked = read(process.argv.slice(2).filter((word) => word !== "--help"))
if (process.argv.includes("--help") || typeof asked === "string") {
  const isBad = typeof asked === "string"
  ;(isBad ? process.stderr : process.stdout).write(isBad ? `${asked}\n\n${usage}` : usage)
  process.exitCode = isBad ? 2 : 0
} else {
  const result = await soak(asked)
  const drifts = driftsOf(result.samples, asked.clients)
  const problems = lostIn(result)
  const text = textOf(asked, drifts, result, problems)
  process.stdout.write(text)
  if (asked.out !== null) keep(asked.out, text, result.samples)
  process.exitCode = problems.length > 0 || drifts.some(({ isFlat }) => !isFlat) ? 1 : 0
}
