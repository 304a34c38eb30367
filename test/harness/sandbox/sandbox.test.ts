import { describe, expect, test } from "vitest"
import { builtInProfile } from "../../../src/harness/profile/built-in-profiles.ts"
import { makeSandbox } from "../../../src/harness/sandbox/sandbox.ts"
import { simSandboxWorld } from "../../support/sim-sandbox-world.ts"

const mockUrl = "http://127.0.0.1:9/v1"
const codex = builtInProfile("codex")

describe("a sandbox", () => {
  test("has its folders from the beginning, and leaves nothing", async () => {
    const world = simSandboxWorld()
    const before = world.files.paths()

    const sandbox = await makeSandbox(world, { profile: builtInProfile("pi") })
    const { root } = sandbox.paths
    const made = world.files.paths().filter((path) => path.startsWith(root))
    await sandbox.close()

    expect(made).toEqual(
      ["", "/home", "/home/.pi", "/home/.pi/agent", "/tmp", "/workspace"].map((path) => `${root}${path}`)
    )
    expect(world.files.paths()).toEqual(before)
  })

  test("writes the files that lead to the mock, and writes them again for another one", async () => {
    const world = simSandboxWorld()
    const sandbox = await makeSandbox(world, { profile: codex, mockUrl })
    const config = `${sandbox.paths.stateDir}/config.toml`

    const first = await world.files.readText(config)
    await sandbox.setMock("http://localhost:10/v1")

    expect(first).toContain(`base_url = "${mockUrl}"`)
    expect(await world.files.readText(config)).toContain('base_url = "http://localhost:10/v1"')
  })

  test("refuses a mock that is elsewhere, before anything is made, unless it is told to", async () => {
    const world = simSandboxWorld()
    const before = world.files.paths()
    const elsewhere = "https://user:hush@api.example.test/v1"

    await expect(makeSandbox(world, { profile: codex, mockUrl: elsewhere })).rejects.toMatchObject({
      _tag: "SandboxError",
      message:
        "the mock would be at api.example.test, which is not this machine; use a URL on 127.0.0.1, or pass { allowRemote: true }"
    })
    await expect(makeSandbox(world, { mockUrl: "file:///etc/passwd" })).rejects.toThrow(/no http or https URL/)
    expect(world.files.paths()).toEqual(before)
    await expect(makeSandbox(world, { profile: codex, mockUrl: elsewhere, allowRemote: true })).resolves.toBeDefined()
  })

  test("wired again loses what was set before on the mock's variables, and keeps what is set later", async () => {
    const sandbox = await makeSandbox(simSandboxWorld(), { profile: builtInProfile("grok"), mockUrl })
    sandbox.set("XAI_API_KEY", "mine")
    sandbox.set("OTHER", "kept")
    await sandbox.setMock("http://127.0.0.1:10/v1")
    const wired = sandbox.environment()
    sandbox.set("XAI_API_KEY", "later")

    expect(wired).toMatchObject({ XAI_API_KEY: "test-key-for-ci", OTHER: "kept" })
    expect(sandbox.environment()).toMatchObject({ XAI_API_KEY: "later" })
  })

  test("lets a process, and not a sandbox, override what keeps a child from asking", async () => {
    const sandbox = await makeSandbox(simSandboxWorld())
    sandbox.set("PAGER", "less")

    expect(sandbox.environment()["PAGER"]).toBe("cat")
    expect(sandbox.environment({ changes: [{ kind: "set", name: "PAGER", value: "less" }] })["PAGER"]).toBe("less")
    expect(sandbox.environment({ ownerMark: "run:1" })["HARNESS_OWNER"]).toBe("run:1")
  })

  test("refuses a variable that no environment can hold", async () => {
    const sandbox = await makeSandbox(simSandboxWorld())

    expect(() => sandbox.set("A=B", "x")).toThrow(/cannot be named "A=B"/)
    expect(() => sandbox.set("", "x")).toThrow(/cannot be named ""/)
    expect(() => sandbox.extend({ A: "x\0y" })).toThrow(/value of the variable A holds a NUL/)
    expect(sandbox.environment()).not.toHaveProperty("A")
  })

  test("does what was deferred before it removes its folders, the last first, whatever fails", async () => {
    const world = simSandboxWorld()
    const sandbox = await makeSandbox(world)
    const done: Array<string> = []
    const isThere = () => world.files.paths().includes(sandbox.paths.root)
    sandbox.defer(() => void done.push(`first, folders ${isThere()}`))
    sandbox.defer(async () => {
      throw new Error("one did not end")
    })
    sandbox.defer(() => void done.push("last"))

    await expect(sandbox.close()).rejects.toThrow("one did not end")

    expect(done).toEqual(["last", "first, folders true"])
    expect(isThere()).toBe(false)
    expect(() => sandbox.defer(() => {})).toThrow(/is closed/)
  })

  test("that is to be kept is left, and told of once", async () => {
    const asked = simSandboxWorld()
    const always = simSandboxWorld({ HARNESS_KEEP_SANDBOX: "1" })
    const first = await makeSandbox(asked, { keep: true })
    const second = await makeSandbox(always)
    await first.close()
    await first.close()
    await second.close()

    expect(asked.told).toEqual([`the sandbox is kept: ${first.paths.root}`])
    expect(always.told).toEqual([`the sandbox is kept: ${second.paths.root}`])
    expect(asked.files.paths()).toContain(first.paths.workspace)
  })
})

describe("removing a sandbox", () => {
  test("goes on while something is busy, for two seconds of its clock", async () => {
    const world = simSandboxWorld()
    const sandbox = await makeSandbox(world)
    world.files.failRemoval(sandbox.paths.temp, { code: "EBUSY", times: 30 })

    await world.settled(sandbox.close())

    expect(world.files.paths()).not.toContain(sandbox.paths.root)
    expect(world.clock.now()).toBe(30 * 50)
  })

  test("gives up then, and lists what is left", async () => {
    const world = simSandboxWorld()
    const sandbox = await makeSandbox(world)
    const { root, home, stateDir } = sandbox.paths
    world.files.failRemoval(stateDir, { code: "ENOTEMPTY", times: 1000 })

    await expect(world.settled(sandbox.close())).rejects.toMatchObject({
      _tag: "SandboxError",
      leftovers: [root, home, stateDir],
      message: `the sandbox ${root} could not be removed (ENOTEMPTY); left are:\n  ${root}\n  ${home}\n  ${stateDir}`
    })
    expect(world.clock.now()).toBe(2000)
  })

  test("gives up at once when waiting does not help", async () => {
    const world = simSandboxWorld()
    const sandbox = await makeSandbox(world)
    world.files.failRemoval(sandbox.paths.home, { code: "EACCES", times: 1 })

    await expect(sandbox.close()).rejects.toMatchObject({ _tag: "SandboxError" })
    expect(world.clock.now()).toBe(0)
  })
})

describe("a git sandbox", () => {
  test("is made by five commands that ask nobody and read no configuration", async () => {
    const world = simSandboxWorld()
    const sandbox = await makeSandbox(world, { git: true })

    expect(world.commands.map(({ args }) => args.join(" "))).toEqual([
      "--no-optional-locks init",
      "--no-optional-locks config user.email test@test.invalid",
      "--no-optional-locks config user.name Grok Test",
      "--no-optional-locks add -A",
      "--no-optional-locks commit -m init --no-gpg-sign"
    ])
    for (const { program, cwd, environment } of world.commands) {
      expect([program, cwd]).toEqual(["/bin/git", sandbox.paths.workspace])
      expect(environment).toMatchObject({
        HOME: sandbox.paths.home,
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_ASKPASS: "",
        GIT_LFS_SKIP_SMUDGE: "1",
        GIT_SSH_COMMAND: "ssh -o BatchMode=yes"
      })
    }
  })

  test("that cannot be made is told with the command, and nothing of it is left", async () => {
    const world = simSandboxWorld()
    const before = world.files.paths()
    world.willEnd({ code: 128, signal: null, stdout: "", stderr: "fatal: no\n" })

    await expect(makeSandbox(world, { git: true })).rejects.toThrow(
      /^`git init` exited with code 128: fatal: no\nsandbox root=\/t\/us-/
    )
    expect(world.files.paths()).toEqual(before)
  })

  test("needs a git", async () => {
    const world = simSandboxWorld({ PATH: "/nowhere" })

    await expect(makeSandbox(world, { git: true })).rejects.toThrow(
      /^there is no git on PATH; install it, or set GIT_BIN_PATH/
    )
  })
})

test("a sandbox that cannot be made says why", async () => {
  const world = { ...simSandboxWorld(), baseFolder: "/gone" }

  await expect(makeSandbox(world)).rejects.toMatchObject({
    _tag: "SandboxError",
    message: "the sandbox could not be made: ENOENT: there is no such folder, /gone"
  })
})
