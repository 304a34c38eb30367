import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { copyMachine } from "../../machines/copy.machine.ts"
import { expectationMachine } from "../../machines/expectation.machine.ts"
import { gateMachine } from "../../machines/gate.machine.ts"
import { laneMachine } from "../../machines/lane.machine.ts"
import { listenerMachine } from "../../machines/listener.machine.ts"
import { sha256 } from "../domain/digest.ts"
import type { Surroundings } from "../report/trace-differences.ts"

/**
 * What a run depends on besides its choices and its module: versions, charts, and the lock file that stands nearest above the
 * module.
 *
 * **Source** simulation.md, section 5.6
 *
 * @since 0.1.0
 * @category replaying
 */
export const surroundingsOf = (options: { readonly module: string; readonly engine: string }): Surroundings => ({
  engine: options.engine,
  node: process.versions.node,
  machines: chartsHash(),
  lock: lockHash(dirname(options.module))
})

const hashLength = 16

const chartsHash = (): string => {
  const charts = [copyMachine, expectationMachine, gateMachine, laneMachine, listenerMachine]
  return sha256(JSON.stringify(charts.map(({ config }) => config))).slice(0, hashLength)
}

const lockNames = ["package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"]

/** Empty when there is none. */
const lockHash = (from: string): string => {
  for (let folder = from; ; folder = dirname(folder)) {
    for (const name of lockNames) {
      const text = textOf(join(folder, name))
      if (text !== null) return sha256(text).slice(0, hashLength)
    }
    if (dirname(folder) === folder) return ""
  }
}

const textOf = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return null
  }
}
