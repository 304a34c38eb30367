// @ts-check
/**
 * Loaded by vitest before each property file. `SEED`, `RUNS` and `REPLAY` are read by `properties/check.ts`; this notes that
 * the property that `REPLAY` names was found, for `.ci/replay.mjs`.
 */
import { writeFileSync } from "node:fs"
import { afterAll } from "vitest"

afterAll(() => {
  const { REPLAY_FOUND, REPLAY_MARK } = process.env
  if (REPLAY_FOUND !== undefined && REPLAY_MARK !== undefined) writeFileSync(REPLAY_MARK, REPLAY_FOUND)
})
