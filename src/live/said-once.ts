import { rmSync, statSync, writeFileSync } from "node:fs"
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
 * the whole run is said once. A file without content stands for it in the folder for temporary files.
 *
 * **Takes** the environment, which tells a process of a runner from one that runs tests by itself
 * **Gives** true as well where that cannot be told, or such a file cannot be written: better said twice than not at all
 *
 * @since 0.1.0
 * @category services
 */
export const isFirstOfRun = (what: string, env: Readonly<Record<string, string | undefined>>): boolean => {
  const runner = runnerPid(env)
  if (runner === null) return true
  const path = join(tmpdir(), `understudy-said-${sha256(`${runner} ${what}`).slice(0, 16)}`)
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found !== undefined && liveClock.wallMs() - found.mtimeMs > saidMs) rmSync(path, { force: true })
    writeFileSync(path, "", { flag: "wx" })
    return true
  } catch (error) {
    return !hasCode(error, "EEXIST")
  }
}

/** The process that all of a run come from; `null` for one that stands for itself. */
const runnerPid = (env: Readonly<Record<string, string | undefined>>): number | null => {
  if (env["VITEST"] !== undefined) return isMainThread ? process.ppid : process.pid
  return env["NODE_TEST_CONTEXT"] === undefined ? null : process.ppid
}
