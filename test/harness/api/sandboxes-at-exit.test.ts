import { spawnSync } from "node:child_process"
import { existsSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { expect, test } from "vitest"
import { fakeAgentProcesses } from "../../cli/fake-agent-running.ts"

/*
 * A test that ends before its harness could close: its sandboxes go with its processes. Seen to fail when `tidy` is not called, when it is
 * called for signals alone or for exits alone, and when sandboxes that are kept are counted.
 */

const { cli, folder } = fakeAgentProcesses()

/** Starts an agent, says where its sandbox is, and ends as it is told. Gives the folder. */
const endedBy = (end: string, options = "{}"): string => {
  const path = folder.write(
    "crash.mjs",
    `import { startHarness } from ${JSON.stringify(`${dirname(cli)}/harness.js`)}
const harness = await startHarness({ timing: false, tell: () => {}, variables: { FIXTURE_AGENT_BINARY: ${JSON.stringify(cli)} } })
const sandbox = await harness.makeSandbox(${options})
const agent = await harness.startAgent({ profile: "fixture", sandbox })
await agent.initialize()
console.log(sandbox.paths.root)
${end}
await new Promise((resolve) => setTimeout(resolve, 60_000))
`
  )
  const { stdout } = spawnSync(process.execPath, [path], { encoding: "utf8" })
  const root = stdout.trim()
  expect(root).toMatch(/us-/)
  return root
}

test.each([
  ["an error that nobody caught", 'setTimeout(() => { throw new Error("mine") })'],
  ["its exit", "process.exit(7)"],
  ["a signal", 'process.kill(process.pid, "SIGTERM")']
])("the sandboxes of a test that ended by %s are removed", (_, end) => {
  expect(existsSync(endedBy(end))).toBe(false)
})

test("a sandbox that is to be kept stays", () => {
  const root = endedBy("process.exit(7)", "{ keep: true }")

  expect(existsSync(root)).toBe(true)
  rmSync(root, { recursive: true })
})
