import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isMainThread } from "node:worker_threads"
import { sha256 } from "../domain/digest.ts"
import { hasCode } from "../domain/error-like.ts"
import { liveClock } from "./clock.ts"

/** What was said so long ago was said in another run of the tests. */
const saidMs = 60_000

/**
 * Whether nobody in this run of a test runner has asked this yet, in whichever of its processes and threads; so that what holds for
 * the whole run is said once. One small file in the folder for temporary files holds what was said last.
 *
 * **Takes** the environment, which tells a process of a runner from one that runs tests by itself
 * **Gives** true as well where that cannot be told, or the file cannot be written: better said twice than not at all
 *
 * @since 0.1.0
 * @category services
 */
export const isFirstOfRun = (what: string, env: Readonly<Record<string, string | undefined>>): boolean => {
  const runner = runnerPid(env)
  if (runner === null) return true
  const path = join(tmpdir(), `understudy-said-${process.getuid?.() ?? "here"}`)
  const said = sha256(`${runner} ${what}`)
  try {
    if (isFresh(path) && readFileSync(path, "utf8") === said) return false
    rmSync(path, { force: true })
    // Nobody's file but ours: what somebody has put there meanwhile is not written to.
    writeFileSync(path, said, { flag: "wx", mode: 0o600 })
    return true
  } catch (error) {
    return !hasCode(error, "EEXIST")
  }
}

const isFresh = (path: string): boolean => {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && liveClock.wallMs() - found.mtimeMs <= saidMs
}

/** The process that all of a run come from; `null` for one that stands for itself. */
const runnerPid = (env: Readonly<Record<string, string | undefined>>): number | null => {
  if (env["VITEST"] !== undefined) return isMainThread ? process.ppid : process.pid
  return env["NODE_TEST_CONTEXT"] === undefined ? null : process.ppid
}
