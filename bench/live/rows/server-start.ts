import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { type Figure, type MeasureRow, type Sizes, sized } from "../../shared/row.ts"
import { inTurns } from "../proxy/in-turns.ts"
import { toldFigure } from "../proxy/told-figure.ts"
import { startServer } from "../server/running-server.ts"
import { bare, missingPeers, ours, peersFor, type Target } from "../server/targets.ts"

/** How often each is started. */
const starts = 12

const how =
  "From the start of a process to its first right answer, for which somebody tries to connect every millisecond; 12 times in turns with the " +
  "bare server, which is a bundle as ours is. The library: from before its import to the end of `MockInferenceServer.start()`, in a process of its own. " +
  (missingPeers.length === 0 ? "" : `Not installed, and not measured: ${missingPeers.join(", ")}.`)

export const measureStart: MeasureRow = async (usual) => {
  const sizes = { ...usual, repetitions: sized(starts, usual, 1) }
  const figures: Array<Figure> = []
  for (const target of [ours, ...peersFor(usual)]) {
    const pairs = await inTurns(
      sizes,
      () => startedMs(bare, sizes),
      () => startedMs(target, sizes)
    )
    figures.push(
      {
        ...toldFigure(`${target.name}: start to first answer`, "× bare", pairs, ([one, other]) => other / one),
        ...(target === ours ? { bar: { atMost: 1.4 } } : {})
      },
      toldFigure(`${target.name}: start to first answer`, "ms", pairs, ([, other]) => other),
      ...(target === ours ? [toldFigure("bare: start to first answer", "ms", pairs, ([one]) => one)] : [])
    )
  }
  const imports: Array<number> = []
  for (let time = 0; time < sizes.repetitions; time++) imports.push(await importedMs())
  figures.push({
    ...toldFigure("the library: import and start", "ms", imports, (ms) => ms),
    bar: { atMost: 150 }
  })
  return { how, figures, problems: [] }
}

const startedMs = async (target: Target, sizes: Sizes): Promise<number> => {
  const server = await startServer(target, target.kinds[0] ?? "completion", sizes)
  await server.stop()
  return server.startMs
}

/** How long a program waits for the library, and for its server. */
const importedMs = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const library = new URL("./command/dist/index.js", import.meta.url)
    const program = `const before = performance.now()
const { MockInferenceServer } = await import(${JSON.stringify(library.href)})
const server = await MockInferenceServer.start()
process.stdout.write(String(performance.now() - before))
await server.close()`
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: fileURLToPath(new URL(".", import.meta.url)),
      stdio: ["ignore", "pipe", "inherit"]
    })
    let said = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text
    })
    child.once("close", (code) => {
      if (code === 0) resolve(Number(said))
      else reject(new Error(`the library does not start: exit code ${code}`))
    })
  })
