import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { packageVersion } from "../campaign/package-version.ts"
import { moduleHash } from "../campaign/program-module.ts"
import { programOfTrace, readTraceFile, TraceFileFailed } from "../campaign/run-trace-file.ts"
import { shownPath } from "../campaign/shown-path.ts"
import { surroundingsOf } from "../campaign/surroundings.ts"
import { againCommand, testOfTrace } from "../campaign/traced-test.ts"
import { decodeToken, InvalidToken, type ReplayToken } from "../explore/replay-token.ts"
import type { RunTrace } from "../report/run-trace.ts"
import { traceDifferences } from "../report/trace-differences.ts"
import { InvalidTrace } from "../report/trace-fields.ts"
import { NothingToRun } from "./explore-crew.ts"

/** What a run is made again from. */
export interface RunSource {
  readonly token: string
  /** `null` when the token alone was given. */
  readonly trace: RunTrace | null
  /** The path of the module. */
  readonly module: string
  /** The program that was asked for, or that the trace names; `null` for the only one. */
  readonly only: string | null
  /** Why the run may be another one here, a sentence each. */
  readonly warnings: ReadonlyArray<string>
}

/**
 * A trace as it was given on the command line, and what of it is missing.
 *
 * **Fails** with `NothingToRun`
 */
export const givenTrace = (path: string): { readonly trace: RunTrace; readonly cut: string | null } => {
  try {
    return readTraceFile(path)
  } catch (error) {
    if (error instanceof InvalidTrace) throw new NothingToRun(`${path} is ${error.message}`)
    if (error instanceof TraceFileFailed) throw new NothingToRun(error.message)
    throw error
  }
}

/**
 * What was asked to be run again: the file of a trace, or a token and its module.
 *
 * **Fails** with `NothingToRun`
 *
 * @since 0.1.0
 * @category replaying
 */
export const runSource = (asked: {
  readonly target: string
  readonly module: string | null
  readonly only: string | null
}): RunSource => {
  const { target, module, only } = asked
  if (existsSync(target)) return tracedSource(target, { module, only })
  if (!/^us\d+\./.test(target.trim())) {
    throw new NothingToRun(
      `there is no trace ${target}, and a token begins with us1.; give what explore wrote or printed`
    )
  }
  const isOfTest = tokenOf(target).test !== null
  if (module === null && isOfTest) {
    throw new NothingToRun(
      `the token is of a simulated test, whose runner makes its run again: set SIM_REPLAY='${target.trim()}' and run the test file`
    )
  }
  if (module === null) {
    throw new NothingToRun("a token does not say which module its run is of; give the module behind it")
  }
  return { token: target.trim(), trace: null, module: resolve(module), only, warnings: [] }
}

const tokenOf = (text: string): ReplayToken => {
  try {
    return decodeToken(text)
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error
    throw new NothingToRun(error.message)
  }
}

const tracedSource = (
  path: string,
  given: { readonly module: string | null; readonly only: string | null }
): RunSource => {
  const { trace, cut } = givenTrace(path)
  const named = programOfTrace(trace, path)
  const token = trace.end.type === "unknown" ? null : trace.end.token
  if (token === null) {
    throw new NothingToRun(
      `${path} has no token${cut === null ? "" : `: ${cut}`}; explain shows the steps that are there`
    )
  }
  const module = given.module === null ? named?.module : resolve(given.module)
  const test = testOfTrace(trace, path)
  if (module === undefined && test !== null) {
    throw new NothingToRun(
      `${path} is of the simulated test ${JSON.stringify(test.test)}, whose runner makes its run again: ${againCommand(test, token)}`
    )
  }
  if (module === undefined) throw new NothingToRun(`${path} names no module; give the module behind it`)
  if (given.module === null && !existsSync(module)) {
    throw new NothingToRun(
      `${path} is of the module ${shownPath(module)}, which is not there; give the module behind it`
    )
  }
  const now = surroundingsOf({ module, engine: packageVersion() })
  const hash = moduleHash(module)
  const isOther = named !== null && named.moduleHash !== "" && hash !== "" && named.moduleHash !== hash
  const warnings = [
    ...(cut === null ? [] : [`the trace is cut: ${cut}`]),
    ...(isOther ? [`${shownPath(module)} is not what it was when the trace was written`] : []),
    ...traceDifferences(trace.header, now)
  ]
  return { token, trace, module, only: given.only ?? named?.program ?? null, warnings }
}
