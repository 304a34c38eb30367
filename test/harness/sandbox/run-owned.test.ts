import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { redactedOutput } from "../../../src/harness/diagnostics/sanitised-output.ts"
import { readProfile } from "../../../src/harness/profile/read-profile.ts"
import { resolveBinary } from "../../../src/harness/sandbox/resolve-binary.ts"
import { runOwned } from "../../../src/harness/sandbox/run-owned.ts"
import { makeSandbox } from "../../../src/harness/sandbox/sandbox.ts"
import { liveSandboxWorld } from "../../support/sandbox-world.ts"
import { makeProcessWorld } from "../process-world.ts"

test("a git sandbox is made by owned processes, of which nothing is left", async () => {
  using outer = liveSandboxWorld()
  const { host } = makeProcessWorld()
  const world = { ...outer, run: runOwned(host) }
  await using sandbox = await makeSandbox(world, { git: true })

  expect(await sandbox.git(["status", "--porcelain"])).toEqual({ code: 0, signal: null, stdout: "", stderr: "" })
  expect(readFileSync(join(sandbox.paths.workspace, "README.md"), "utf8")).toBe("test file\n")
  expect(host.alive()).toEqual([])
})

test("a build that fails leaves its descendants no time", async () => {
  using outer = liveSandboxWorld()
  const { host } = makeProcessWorld()
  const profile = readProfile({
    id: "mine",
    binary: { localBuild: { path: "mine", command: "/bin/sh", args: ["-c", "sleep 1000 & echo $!; exit 4"] } },
    headless: { args: ["{prompt}"] },
    sandbox: { stateDir: ".mine" }
  })

  const failed = await resolveBinary(profile, { ...outer, run: runOwned(host) }).catch((error) => error)

  expect(failed).toMatchObject({ _tag: "BuildFailed", code: 4, signal: null })
  // It was killed before its leader was reported; the system may still be at it.
  while (host.pidAlive(Number(failed.stdout))) await new Promise(setImmediate)
  expect(host.alive()).toEqual([])
})

describe("a build on demand", () => {
  const script = join(import.meta.dirname, "../fixtures/build-agent.sh")
  const profileOf = (args: ReadonlyArray<string>) =>
    readProfile({
      id: "mine",
      binary: { localBuild: { path: "mine", command: script, args } },
      headless: { args: ["{prompt}"] },
      sandbox: { stateDir: ".mine" }
    })

  test("makes the program, which then starts", async () => {
    using outer = liveSandboxWorld()
    const world = { ...outer, parent: { ...outer.parent, cwd: outer.baseFolder } }

    const found = await resolveBinary(profileOf(["make", join(outer.baseFolder, "mine")]), world)

    expect(found).toMatchObject({ path: join(outer.baseFolder, "mine"), rule: 5 })
    expect(await world.run({ program: found.path, args: [], cwd: "/", environment: {} })).toMatchObject({
      stdout: "built\n"
    })
  })

  test("fails with its code and both streams", async () => {
    using world = liveSandboxWorld()

    await expect(resolveBinary(profileOf(["fail"]), world)).rejects.toMatchObject({
      _tag: "BuildFailed",
      code: 3,
      stdout: "compiling\n",
      stderr: "type error in main\n"
    })
    await expect(resolveBinary(profileOf(["nothing"]), world)).rejects.toThrow(/exited with code 0 and left no file/)
  })
})

test("a program that is not there is told as that", async () => {
  const { host } = makeProcessWorld()

  await expect(
    runOwned(host)({ program: "/no/such/program", args: [], cwd: "/", environment: {} })
  ).rejects.toMatchObject({ _tag: "BinaryNotFound" })
})

test("what an agent in a sandbox prints shows nothing of its secrets once it is made fit to be shown", async () => {
  using world = liveSandboxWorld()
  await using sandbox = await makeSandbox(world)
  sandbox.set("CUSTOM_TOKEN", "do-not-print-this-token")
  const environment = sandbox.environment()
  const script = 'echo "started with $CUSTOM_TOKEN in $HOME"; echo "CUSTOM_TOKEN=$CUSTOM_TOKEN"'

  const { stdout } = await world.run({
    program: "/bin/sh",
    args: ["-c", script],
    cwd: sandbox.paths.workspace,
    environment
  })

  expect(stdout).toContain("CUSTOM_TOKEN=do-not-print-this-token")
  expect(redactedOutput(stdout, environment)).toBe(
    "started with <redacted> in <redacted>\n<redacted sensitive output line>\n"
  )
})
