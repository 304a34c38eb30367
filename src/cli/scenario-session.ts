import { type AppliedScenario, applyScenario, type ScenarioTarget } from "../inference/scenario-apply.ts"
import { readScenario, type ScenarioOverrides, type ScenarioScript } from "../inference/scenario-script.ts"
import { RunFailed } from "./command-io.ts"

/** What a reload came to. */
export type Reload =
  | { readonly kind: "same" }
  | { readonly kind: "applied"; readonly applied: AppliedScenario; readonly script: ScenarioScript }
  | { readonly kind: "refused"; readonly problems: ReadonlyArray<string> }

/**
 * The scenario of a running server.
 *
 * @since 0.1.0
 * @category services
 */
export interface ScenarioSession {
  readonly script: () => ScenarioScript
  readonly applied: () => AppliedScenario | undefined
  /** Gives the scenario to the server. */
  start(server: ScenarioTarget): AppliedScenario
  /** Reads the file again, and changes nothing unless all of it is good. */
  reload(server: ScenarioTarget): Reload
}

/**
 * Reads the first scenario, without a file the empty one. What reads files is loaded only for a file.
 *
 * **Fails** with `RunFailed`, one line for each problem
 *
 * @since 0.1.0
 * @category constructors
 */
export const openScenario = async (
  file: string | undefined,
  overrides: ScenarioOverrides
): Promise<ScenarioSession> => {
  if (file === undefined) {
    const reading = readScenario({}, overrides)
    if (!reading.ok) throw new Error("the empty scenario does not conform to the schema")
    return session(reading.script, () => ({ kind: "same" }))
  }
  const { readScenarioBytes, readScenarioFile } = await import("./scenario-file.ts")
  let last: Buffer | null = null
  const read = (skipSame: boolean): Reread => {
    const found = readScenarioBytes(file)
    if (skipSame && found.ok && last?.equals(found.bytes) === true) return { kind: "same" }
    last = found.ok ? found.bytes : null
    const reading = found.ok ? readScenarioFile(file, { ...overrides, bytes: found.bytes }) : found
    return reading.ok ? { kind: "read", script: reading.script } : { kind: "refused", problems: reading.problems }
  }
  const first = read(false)
  if (first.kind === "read") return session(first.script, read)
  const problems = first.kind === "refused" ? first.problems : []
  throw new RunFailed(`cannot serve ${JSON.stringify(file)}; put this right and start again:`, problems)
}

type Reread = Exclude<Reload, { readonly kind: "applied" }> | { readonly kind: "read"; readonly script: ScenarioScript }

const session = (first: ScenarioScript, reread: (skipSame: boolean) => Reread): ScenarioSession => {
  let script = first
  let applied: AppliedScenario | undefined
  const start = (server: ScenarioTarget): AppliedScenario => {
    applied = applyScenario(server, script, applied)
    return applied
  }
  return {
    script: () => script,
    applied: () => applied,
    start,
    reload(server) {
      // Saving the file again is how a person asks for what was left out.
      const next = reread((applied?.skipped.length ?? 0) === 0)
      if (next.kind !== "read") return next
      script = next.script
      return { kind: "applied", applied: start(server), script }
    }
  }
}
