// @ts-check
/** Fails a run whose `REPLAY` names no property: a typo must not pass for a green run. */
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const setup = () => {
  const { REPLAY } = process.env
  if (REPLAY === undefined || REPLAY === "") return undefined
  const folder = mkdtempSync(join(tmpdir(), "understudy-replay-"))
  const mark = join(folder, "found")
  process.env["REPLAY_MARK"] = mark
  return () => {
    const isFound = existsSync(mark)
    rmSync(folder, { recursive: true })
    if (isFound) return
    process.exitCode = 1
    console.error(`REPLAY names no property: ${REPLAY}. Copy the whole line that a failed property printed.`)
  }
}
