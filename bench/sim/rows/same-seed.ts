import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { Worker } from "node:worker_threads"
import { type Figure, type MeasureRow, type Sizes, sized } from "../../shared/row.ts"
import { type DigestOrder, digestOf, type HashedProgram, hashedPrograms, hashOf } from "../programs/hashes.ts"

/** How often one seed is run, and how many seeds are compared in each place. */
const counts: Readonly<Record<HashedProgram, { readonly runs: number; readonly seeds: number }>> = {
  sdks: { runs: 1_000, seeds: 200 },
  parsers: { runs: 1_000, seeds: 60 }
}

const processes = 6
const threads = 3
const oneSeed = 7

const how =
  "The runs of one seed one after the other in one process. The runs of many seeds there, in reverse order, in 6 processes and in 3 " +
  "worker threads: a digest is that of all hashes. Other Nodes are given the same bundle."

const digestEntry = new URL("./digest-entry.js", import.meta.url)

/** One seed, one hash: run after run, in other processes and threads, in another order. */
export const measureSameSeed: MeasureRow = async (sizes) => {
  const figures: Array<Figure> = []
  const problems: Array<string> = []
  for (const program of ["sdks", "parsers"] as const) {
    const measured = await measureProgram(program, sizes)
    figures.push(...measured)
    for (const { what, value, bar } of measured)
      if (bar !== undefined && value !== 1) problems.push(`${what}: ${value}`)
  }
  return { how, figures, problems }
}

const measureProgram = async (program: HashedProgram, sizes: Sizes): Promise<ReadonlyArray<Figure>> => {
  const { title } = hashedPrograms[program]
  const runs = sized(counts[program].runs, sizes, 3)
  const order: DigestOrder = { program, seeds: sized(counts[program].seeds, sizes, 3) }

  const hashes = new Set<string>()
  for (let run = 0; run < runs; run++) hashes.add(await hashOf(program, oneSeed))

  const here = await digestOf(order)
  const places = [
    await digestOf(order, { isReversed: true }),
    ...(await inTurn(sized(processes, sizes, 2), () => inProcess(process.execPath, order))),
    ...(await inTurn(sized(threads, sizes), () => inThread(order)))
  ]
  const elsewhere = await Promise.all(
    (sizes.own["node"] ?? []).map(async (node) => ({
      version: await versionOf(node),
      digest: await inProcess(node, order)
    }))
  )
  const one = { exactly: 1 } as const
  return [
    {
      what: `${title}: hashes of ${runs} runs of one seed`,
      value: hashes.size,
      unit: "hashes",
      bar: one
    },
    {
      what: `${title}: digests of ${order.seeds} seeds`,
      value: new Set([here, ...places]).size,
      unit: "digests",
      bar: one
    },
    ...elsewhere.map(({ version, digest }) => ({
      what: `${title}: digests of ${order.seeds} seeds, here and by Node ${version}`,
      value: new Set([here, digest]).size,
      unit: "digests"
    }))
  ]
}

const run = promisify(execFile)

const inProcess = async (node: string, order: DigestOrder): Promise<string> =>
  (await run(node, [digestEntry.pathname, JSON.stringify(order)])).stdout

const versionOf = async (node: string): Promise<string> =>
  (await run(node, ["-p", "process.versions.node"])).stdout.trim()

const inThread = (order: DigestOrder): Promise<string> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(digestEntry, { workerData: order })
    worker.once("message", resolve)
    worker.once("error", reject)
  })

/** One after the other: what is asked is whether they agree, not how fast they are. */
const inTurn = async <A>(times: number, make: () => Promise<A>): Promise<ReadonlyArray<A>> => {
  const made: Array<A> = []
  for (let time = 0; time < times; time++) made.push(await make())
  return made
}
