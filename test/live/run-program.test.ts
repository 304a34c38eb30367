import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { readProfile } from "../../src/harness/profile/read-profile.ts"
import { resolveBinary } from "../../src/harness/sandbox/resolve-binary.ts"
import { runProgram } from "../../src/live/run-program.ts"
import { liveSandboxWorld } from "../support/sandbox-world.ts"

const shell = (script: string, environment: Readonly<Record<string, string>> = {}) =>
  runProgram({ program: "/bin/sh", args: ["-c", script], cwd: "/", environment })

describe("a program that is run", () => {
  test("gives both streams and its code, and has the environment that it is given, and nothing on stdin", async () => {
    expect(await shell('cat; printf "out $A"; printf err >&2; exit 7', { A: "1", PATH: "/usr/bin:/bin" })).toEqual({
      code: 7,
      signal: null,
      stdout: "out 1",
      stderr: "err"
    })
  })

  test("that a signal ends gives the signal", async () => {
    expect(await shell("kill -9 $$")).toMatchObject({ code: null, signal: "SIGKILL" })
  })

  test("takes with it what it left in its group, which would hold its pipes open", async () => {
    expect(await shell("sleep 1000 & echo started", { PATH: "/usr/bin:/bin" })).toMatchObject({
      code: 0,
      stdout: "started\n"
    })
  })

  test("that is not there fails with the code of the system", async () => {
    await expect(
      runProgram({ program: "/no/such/program", args: [], cwd: "/", environment: {} })
    ).rejects.toMatchObject({ _tag: "SpawnFailed", code: "ENOENT" })
  })
})

describe("a build on demand", () => {
  const script = join(import.meta.dirname, "../harness/fixtures/build-agent.sh")
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
    expect(
      await runProgram({ program: found.path, args: [], cwd: "/", environment: { PATH: "/usr/bin:/bin" } })
    ).toMatchObject({ stdout: "built\n" })
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
