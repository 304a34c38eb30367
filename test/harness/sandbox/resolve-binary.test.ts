import { describe, expect, test } from "vitest"
import type { TextMap } from "../../../src/harness/profile/agent-profile.ts"
import { readProfile } from "../../../src/harness/profile/read-profile.ts"
import { type BinarySearch, resolveBinary } from "../../../src/harness/sandbox/resolve-binary.ts"
import type { ProgramOutcome } from "../../../src/ports/run-program.ts"
import { makeSimFiles, type SimFiles } from "../../../src/sim/files.ts"

const profileOf = (binary: object) =>
  readProfile({ id: "mine", binary, headless: { args: ["{prompt}"] }, sandbox: { stateDir: ".mine" } })

const full = profileOf({
  env: ["MINE_BINARY", "MINE_OTHER"],
  roleEnv: { leader: "MINE_LEADER" },
  buildEnv: ["BUILT_MINE"],
  package: { name: "@me/mine", bin: "mine" },
  command: "mine",
  interpreter: "node"
})

const ended: ProgramOutcome = { code: 0, signal: null, stdout: "", stderr: "" }

const searchIn = (files: SimFiles, variables: TextMap = {}, rest: Partial<BinarySearch> = {}): BinarySearch => ({
  parent: { platform: "linux", variables, cwd: "/repo/project" },
  files,
  run: async () => ended,
  ...rest
})

const withFile = (path: string, text = "\x7fELF"): SimFiles => {
  const files = makeSimFiles()
  files.put(path, text, { isExecutable: true })
  return files
}

describe("the program of an agent is", () => {
  test("that of its role first", async () => {
    const files = withFile("/a/leader")
    files.put("/a/plain", "", { isExecutable: true })
    const variables = { MINE_LEADER: "/a/leader", MINE_BINARY: "/a/plain" }

    expect(await resolveBinary(full, searchIn(files, variables, { role: "leader" }))).toMatchObject({
      path: "/a/leader",
      rule: 1,
      because: "MINE_LEADER"
    })
    expect(await resolveBinary(full, searchIn(files, variables))).toMatchObject({ path: "/a/plain", rule: 2 })
    expect(await resolveBinary(full, searchIn(files, variables, { role: "client" }))).toMatchObject({ rule: 2 })
  })

  test("that of the first variable that is set and not empty", async () => {
    const files = withFile("/repo/project/bin/mine")

    expect(await resolveBinary(full, searchIn(files, { MINE_BINARY: "", MINE_OTHER: "bin/mine" }))).toMatchObject({
      path: "/repo/project/bin/mine",
      rule: 2,
      because: "MINE_OTHER"
    })
  })

  test("what a build system left, if it is still there", async () => {
    const files = withFile("/built/mine")
    files.put("/bin/mine", "", { isExecutable: true })

    expect(await resolveBinary(full, searchIn(files, { BUILT_MINE: "/built/mine", PATH: "/bin" }))).toMatchObject({
      path: "/built/mine",
      rule: 3
    })
    expect(await resolveBinary(full, searchIn(files, { BUILT_MINE: "/stale", PATH: "/bin" }))).toMatchObject({
      path: "/bin/mine",
      rule: 4
    })
  })

  test("that of an installed package before that of PATH, with its interpreter", async () => {
    const files = withFile("/repo/node_modules/@me/mine/dist/cli.js", "#!/usr/bin/env node\n")
    files.put("/repo/node_modules/@me/mine/package.json", JSON.stringify({ bin: { mine: "./dist/cli.js" } }))
    files.put("/bin/mine", "", { isExecutable: true })
    files.put("/bin/node", "", { isExecutable: true })

    expect(await resolveBinary(full, searchIn(files, { PATH: "/bin" }))).toEqual({
      path: "/repo/node_modules/@me/mine/dist/cli.js",
      rule: 4,
      because: "the package @me/mine",
      interpreter: "/bin/node"
    })
    expect(await resolveBinary(full, searchIn(files, {}, { ownInterpreter: "/opt/node" }))).toMatchObject({
      interpreter: "/opt/node"
    })
    await expect(resolveBinary(full, searchIn(files))).rejects.toThrow(/is a script for node, which is not on PATH/)
  })

  test("that of the package that the test is a part of, as it would be if it were installed", async () => {
    const files = withFile("/repo/dist/cli.js")
    files.put("/repo/package.json", JSON.stringify({ name: "@me/mine", bin: { mine: "dist/cli.js" } }))
    files.put("/repo/project/package.json", JSON.stringify({ name: "@me/other", bin: { mine: "dist/other.js" } }))

    expect(await resolveBinary(full, searchIn(files, {}, { ownInterpreter: "/opt/node" }))).toMatchObject({
      path: "/repo/dist/cli.js",
      because: "the package @me/mine"
    })
  })

  test("not what a package names outside of itself", async () => {
    const files = withFile("/repo/evil")
    files.put("/repo/node_modules/@me/mine/package.json", JSON.stringify({ bin: { mine: "../../../evil" } }))

    await expect(resolveBinary(full, searchIn(files))).rejects.toMatchObject({ _tag: "BinaryNotFound" })
  })

  test("the first on PATH that may be run", async () => {
    const files = withFile("/b/mine")
    files.put("/a/mine", "text")
    files.put("/repo/project/c/mine", "", { isExecutable: true })

    expect(await resolveBinary(full, searchIn(files, { PATH: "/a::/b" }))).toMatchObject({ path: "/b/mine", rule: 4 })
    expect(await resolveBinary(full, searchIn(files, { PATH: "c:/b" }))).toMatchObject({ path: "/repo/project/c/mine" })
  })
})

describe("no program is found", () => {
  test("where a variable names what is not there, although PATH has one", async () => {
    const files = withFile("/bin/mine")

    await expect(resolveBinary(full, searchIn(files, { MINE_BINARY: "gone", PATH: "/bin" }))).rejects.toMatchObject({
      _tag: "BinaryNotFound",
      message: "MINE_BINARY does not exist: gone",
      path: "gone"
    })
    await expect(resolveBinary(full, searchIn(files, { MINE_BINARY: "/bin" }))).rejects.toThrow(
      "MINE_BINARY is a folder, not a program: /bin"
    )
  })

  test("anywhere, which says where it was looked for and what to do", async () => {
    await expect(resolveBinary(full, searchIn(makeSimFiles(), { PATH: "/bin" }))).rejects.toThrow(
      "the program of mine was not found: MINE_BINARY is not set, MINE_OTHER is not set, BUILT_MINE names no file, the " +
        "package @me/mine is not installed here, there is no mine on PATH; set MINE_BINARY to its path, or run " +
        "`npm install -D @me/mine`"
    )
  })
})

describe("a build on demand", () => {
  const built = profileOf({ localBuild: { path: "target/mine", command: "make", args: ["mine"], cwd: "source" } })

  test("makes what is missing, without asking anybody, and what is there is not made again", async () => {
    const files = makeSimFiles()
    const commands: Array<object> = []
    const search = searchIn(
      files,
      { KEPT: "1", PAGER: "less" },
      {
        run: async (command) => {
          commands.push(command)
          files.put("/repo/project/target/mine", "", { isExecutable: true })
          return ended
        }
      }
    )

    const first = await resolveBinary(built, search)
    const second = await resolveBinary(built, search)

    expect([first, second]).toEqual([first, first])
    expect(first).toMatchObject({ path: "/repo/project/target/mine", rule: 5 })
    expect(commands).toMatchObject([
      { program: "make", args: ["mine"], cwd: "/repo/project/source", environment: { KEPT: "1", PAGER: "cat" } }
    ])
  })

  test("that fails is told with both streams, and no secret", async () => {
    const outcome = { code: 2, signal: null, stdout: "compiling hush-hush", stderr: "type error" }
    const search = searchIn(makeSimFiles(), { DEPLOY_KEY: "hush-hush" }, { run: async () => outcome })

    await expect(resolveBinary(built, search)).rejects.toMatchObject({
      _tag: "BuildFailed",
      message: "the build `make` exited with code 2\nstdout:\ncompiling <redacted>\nstderr:\ntype error",
      code: 2,
      stdout: "compiling hush-hush"
    })
  })

  test("that leaves nothing is told as exactly that", async () => {
    await expect(resolveBinary(built, searchIn(makeSimFiles()))).rejects.toThrow(
      "the build `make` exited with code 0 and left no file at /repo/project/target/mine"
    )
  })
})
