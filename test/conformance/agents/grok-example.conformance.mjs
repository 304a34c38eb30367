import { deepEqual } from "node:assert/strict"
import { execFile } from "node:child_process"
import { test } from "node:test"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { folderOf } from "../check.mjs"
import { writeName } from "../report.mjs"
import { checkMsMax } from "./agent-harness.mjs"

const root = fileURLToPath(new URL("../../../", import.meta.url))
const example = "test/examples/real-agent-turn.test.ts"
const name = writeName({ family: "grok 1.0.41", client: "chat", check: "the example of the README passes" })

/* Skipped where there is no grok, as on most machines. */
test(name, { timeout: checkMsMax }, async () => {
  const grok = `${folderOf("agents")}/node_modules/@xai-official/grok/bin/grok-native`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", example, "--reporter=json"],
    { cwd: root, env: { ...process.env, GROK_BINARY: grok } }
  )
  const { numPassedTests, numTotalTests } = JSON.parse(stdout.slice(stdout.indexOf("{")))
  deepEqual({ numPassedTests, numTotalTests }, { numPassedTests: 1, numTotalTests: 1 })
})
