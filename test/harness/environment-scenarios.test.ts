import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { readTimeoutScale } from "../../src/domain/timeout-scale.ts"
import { guardVariable } from "../../src/harness/environment/environment-guard.ts"
import { builtInProfile } from "../../src/harness/profile/built-in-profiles.ts"
import { resolveBinary } from "../../src/harness/sandbox/resolve-binary.ts"
import { makeSandbox } from "../../src/harness/sandbox/sandbox.ts"
import { liveSandboxWorld, readSeen, seenIn } from "../support/sandbox-world.ts"

// Each test begins with the number of its scenario in agent-harness.md, section 9.

const profile = builtInProfile("grok")
const mockUrl = "http://127.0.0.1:43123/v1"

describe("the environment of a child", () => {
  test("1. leads to the mock, has its own home, and no proxy", async () => {
    using world = liveSandboxWorld()
    await using sandbox = await makeSandbox(world, { profile, mockUrl })

    const { env } = await seenIn(sandbox)

    expect(env).toMatchObject({
      XAI_API_KEY: "test-key-for-ci",
      GROK_CLI_CHAT_PROXY_BASE_URL: mockUrl,
      GROK_XAI_API_BASE_URL: mockUrl,
      GROK_MODELS_BASE_URL: mockUrl,
      GROK_FEEDBACK_BASE_URL: mockUrl,
      GROK_TRACE_UPLOAD_URL: mockUrl,
      GROK_MANAGED_CONFIG_URL: mockUrl,
      GROK_CODE_WEB_URL: mockUrl,
      GROK_CONVERSATIONS_BASE_URL: mockUrl,
      GROK_DISABLE_AUTOUPDATER: "1",
      GROK_TELEMETRY_TRACE_UPLOAD: "false",
      NO_PROXY: "127.0.0.1,localhost,::1",
      HOME: sandbox.paths.home,
      USERPROFILE: sandbox.paths.home,
      GROK_HOME: join(sandbox.paths.home, ".grok")
    })
    for (const absent of [
      ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"],
      ...["GROK_LEADER_SOCKET", "GROK_WEB_FETCH", "GROK_DISABLE_WEB_FETCH"]
    ]) {
      expect(env).not.toHaveProperty(absent)
    }
  })

  test("2. has nothing else of its parent", async () => {
    using world = liveSandboxWorld({ AMBIENT_SECRET: "x", GROK_DEBUG_LOG: "1", HTTPS_PROXY: "http://p" })
    await using sandbox = await makeSandbox(world, { profile, mockUrl })

    const { env } = await seenIn(sandbox)

    for (const absent of ["AMBIENT_SECRET", "GROK_DEBUG_LOG", "HTTPS_PROXY"]) expect(env).not.toHaveProperty(absent)
  })

  test("3. has the shell of its parent, /bin/sh without one, and that of an override first", async () => {
    using plain = liveSandboxWorld()
    using zsh = liveSandboxWorld({ SHELL: "/bin/zsh" })
    await using first = await makeSandbox(plain)
    await using second = await makeSandbox(zsh)

    const without = (await seenIn(first)).env["SHELL"]
    const inherited = (await seenIn(second)).env["SHELL"]
    second.set("SHELL", "/bin/bash")
    const overridden = (await seenIn(second)).env["SHELL"]

    expect([without, inherited, overridden]).toEqual(["/bin/sh", "/bin/zsh", "/bin/bash"])
  })

  test("4. is changed by overrides, and by nothing more than they say", async () => {
    using world = liveSandboxWorld()
    await using sandbox = await makeSandbox(world, { profile, mockUrl })
    const { TERM_PROGRAM: _none, ...before } = (await seenIn(sandbox)).env

    sandbox.set("TERM_PROGRAM", "vscode")
    sandbox.set("NO_PROXY", "override.invalid")
    sandbox.remove("GROK_DISABLE_AUTOUPDATER")

    const { GROK_DISABLE_AUTOUPDATER: _gone, ...kept } = before
    expect((await seenIn(sandbox)).env).toEqual({ ...kept, TERM_PROGRAM: "vscode", NO_PROXY: "override.invalid" })
  })

  test("5. has the git of its parent by an absolute path, first on PATH", async () => {
    using world = liveSandboxWorld({ GIT_BIN_PATH: "external/git/bin/git", PATH: "/usr/bin" }, "/repo/place")
    using without = liveSandboxWorld({ PATH: "/usr/bin" })
    await using sandbox = await makeSandbox(world)
    await using plain = await makeSandbox(without)

    const { env } = await seenIn(sandbox)
    const { env: plainEnv } = await seenIn(plain)

    expect(env["GIT_BIN_PATH"]).toBe("/repo/place/external/git/bin/git")
    expect(env["GIT_EXEC_PATH"]).toBe("/repo/place/external/git/bin")
    expect(env["PATH"]).toBe("/repo/place/external/git/bin:/usr/bin")
    expect(plainEnv["PATH"]).toBe("/usr/bin")
    expect(plainEnv).not.toHaveProperty("GIT_BIN_PATH")
    expect(plainEnv).not.toHaveProperty("GIT_EXEC_PATH")
  })
})

test("6. a git sandbox has one commit of a known author, a clean state, and touches nothing outside", async () => {
  using world = liveSandboxWorld()
  const outside = join(world.baseFolder, "home-of-the-parent")
  mkdirSync(outside)
  const variables = { ...world.parent.variables, HOME: outside }
  await using sandbox = await makeSandbox({ ...world, parent: { ...world.parent, variables } }, { git: true })

  const log = await sandbox.git(["log", "--format=%an|%ae|%s"])
  const status = await sandbox.git(["status", "--porcelain"])

  expect(readFileSync(join(sandbox.paths.workspace, "README.md"), "utf8")).toBe("test file\n")
  expect(log).toMatchObject({ code: 0, stdout: "Grok Test|test@test.invalid|init\n" })
  expect(status).toMatchObject({ code: 0, stdout: "", stderr: "" })
  expect(readdirSync(outside)).toEqual([])
  expect(readdirSync(world.baseFolder).sort()).toEqual(["home-of-the-parent", sandbox.paths.root.split("/").at(-1)])
})

describe("the summary of a sandbox", () => {
  test("7. shows no value of a variable whose name is that of a secret", async () => {
    using world = liveSandboxWorld()
    await using sandbox = await makeSandbox(world)
    const names = [
      ...["CUSTOM_TOKEN", "SERVICE_API_KEY", "clientSecret", "DB_PASSWORD_FILE"],
      ...["AWS_CREDENTIALS", "SESSION_COOKIE", "AWS_ACCESS_KEY_ID", "PRIVATE_KEY"]
    ]
    for (const name of names) sandbox.set(name, "do-not-show-this")
    sandbox.set("SAFE_FEATURE", "enabled")

    const summary = sandbox.summary()

    for (const name of names) expect(summary).toContain(` ${name}=<redacted>`)
    expect(summary).toContain(" SAFE_FEATURE=enabled")
    expect(summary).not.toContain("do-not-show-this")
    expect(summary).not.toContain("\n")
  })

  test.each([
    ["http://user:password@127.0.0.1:43123/v1?token=secret#f", "http://127.0.0.1:43123/v1"],
    ["http://u:p@[::1]:43125/v1#s", "http://[::1]:43125/v1"],
    ["http://127.0.0.2:43126/v1?x", "http://127.0.0.2:43126/v1"],
    ["https://user:password@example.test/v1", "<redacted>"],
    ["not a url", "<redacted>"]
  ])("8. shows of the address %s what is %s", async (url, shown) => {
    using world = liveSandboxWorld()
    await using sandbox = await makeSandbox(world)
    sandbox.set("SERVICE_URL", url)

    expect(sandbox.summary()).toContain(` SERVICE_URL=${shown} `)
  })
})

describe("the program of an agent", () => {
  test("9. that a variable names must be there, and no other is taken for it", async () => {
    using world = liveSandboxWorld({ GROK_BINARY: "./does-not-exist" })

    await expect(resolveBinary(profile, world)).rejects.toMatchObject({
      _tag: "BinaryNotFound",
      message: "GROK_BINARY does not exist: ./does-not-exist"
    })
  })

  test("9. that a variable names relatively starts from any working directory", async () => {
    using outer = liveSandboxWorld()
    const project = join(outer.baseFolder, "project")
    mkdirSync(join(project, "bin"), { recursive: true })
    symlinkSync(join(import.meta.dirname, "fixtures/print-environment.mjs"), join(project, "bin/agent"))
    const variables = { ...outer.parent.variables, GROK_BINARY: "./bin/agent" }
    const world = { ...outer, parent: { ...outer.parent, variables, cwd: project } }
    await using sandbox = await makeSandbox(world, { profile })

    const found = await resolveBinary(profile, world)
    const outcome = await world.run({
      program: found.path,
      args: [],
      cwd: sandbox.paths.workspace,
      environment: sandbox.environment()
    })

    expect(found).toEqual({ path: join(project, "bin/agent"), rule: 2, because: "GROK_BINARY", interpreter: null })
    expect(readSeen(outcome).cwd).toBe(sandbox.paths.workspace)
  })
})

test.each([
  ["3", 3],
  ["0", 1],
  ["-1", 1],
  ["1.5", 1],
  ["abc", 1],
  ["", 1]
])("10. the timeout scale %j is %i", (text, scale) => {
  expect(readTimeoutScale({ GROK_TEST_TIMEOUT_SCALE: text }).scale).toBe(scale)
})

describe("a guard of a variable", () => {
  const body = (variables: Record<string, string | undefined>) => {
    using _guard = guardVariable(variables, "X", "b")
    expect(variables["X"]).toBe("b")
    throw new Error("the test fails")
  }

  test("11. gives back what was there, also when the test throws", () => {
    const variables: Record<string, string | undefined> = { X: "a" }

    expect(() => body(variables)).toThrow("the test fails")
    expect(variables).toEqual({ X: "a" })
  })

  test("11. takes away what was not there", () => {
    const variables: Record<string, string | undefined> = {}

    expect(() => body(variables)).toThrow("the test fails")
    expect("X" in variables).toBe(false)
  })
})

test("mixes the folder of one sandbox with the environment of another", async () => {
  using world = liveSandboxWorld()
  await using state = await makeSandbox(world, { profile, mockUrl })
  await using work = await makeSandbox(world, { git: true })
  writeFileSync(join(work.paths.workspace, "note.txt"), "here")

  const { cwd, env } = await seenIn(state, work.paths.workspace)

  expect(cwd).toBe(work.paths.workspace)
  expect(env["HOME"]).toBe(state.paths.home)
})

test("twenty sandboxes at once keep apart and leave no folder", async () => {
  using world = liveSandboxWorld()
  const made = await Promise.all(Array.from({ length: 20 }, () => makeSandbox(world, { profile, mockUrl, git: true })))
  const roots = made.map(({ paths }) => paths.root)

  await Promise.all(made.map((sandbox) => sandbox.close()))

  expect(new Set(roots).size).toBe(20)
  expect(readdirSync(world.baseFolder)).toEqual([])
})
