import { existsSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { startHarness } from "../../../src/harness.ts"

/* Seen to fail when a sandbox that was given is removed, and when one of its own is not. */

const print = `console.log(process.cwd()); console.error(process.env.SAID ?? "nothing", Object.hasOwn(process.env, "HOME"))`

describe("a command in a harness", () => {
  test("runs in a sandbox of its own, which is removed after it", async () => {
    await using harness = await startHarness({ timing: false, watchdog: false })
    const run = await harness.runCommand({
      program: process.execPath,
      args: ["-e", print],
      env: { SAID: "hello" },
      label: "printer"
    })

    expect(run).toMatchObject({ exitCode: 0, stderr: "hello true\n", timedOut: false, binary: null })
    expect(run.diagnostics).toContain("printer")
    expect(run.stdout.trim()).not.toBe(process.cwd())
    expect(existsSync(run.stdout.trim())).toBe(false)
  })

  test("leaves a sandbox that was given to the caller, and runs where it is told", async () => {
    await using harness = await startHarness({ timing: false, watchdog: false })
    const sandbox = await harness.makeSandbox()
    const args = ["-e", `require("node:fs").writeFileSync("kept", "x"); process.exit(3)`]
    const run = await harness.runCommand({ program: process.execPath, args, sandbox, cwd: sandbox.paths.home })

    expect(run.exitCode).toBe(3)
    expect(existsSync(`${sandbox.paths.home}/kept`)).toBe(true)
    await expect(harness.runCommand({ program: "/no/such/program", sandbox })).rejects.toMatchObject({
      _tag: expect.stringMatching(/BinaryNotFound|SpawnFailed/)
    })
    expect(existsSync(sandbox.paths.workspace)).toBe(true)
  })
})
