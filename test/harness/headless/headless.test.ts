import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { BinaryNotFound, SpawnCwdMissing } from "../../../src/domain/harness-errors.ts"
import { assertHeadlessSuccess } from "../../../src/harness/headless/headless-assertions.ts"
import type { HeadlessOptions } from "../../../src/harness/headless/headless-options.ts"
import {
  runHeadless,
  runHeadlessInSandbox,
  runHeadlessInSandboxBorrowed,
  runPrompt
} from "../../../src/harness/headless/run-headless.ts"
import { readProfile } from "../../../src/harness/profile/read-profile.ts"
import { makeSandbox } from "../../../src/harness/sandbox/sandbox.ts"
import { type LiveAgentWorld, liveAgentWorld } from "../agent-world.ts"

/** The numbers are those of the scenarios of agent-harness.md, section 9. */
const isLinux = process.platform === "linux"

const sh = async (world: LiveAgentWorld, script: string, options: HeadlessOptions = {}) => {
  const sandbox = await makeSandbox(world.sandboxes)
  const command = { program: "/bin/sh", args: ["-c", script], cwd: sandbox.paths.workspace }
  return runHeadlessInSandbox(world, { command, sandbox, ...options })
}

/** Its answer is what it was given, its prompt the last of it. */
const parrot = (program: string) =>
  readProfile({
    id: "parrot",
    binary: { env: ["PARROT"] },
    headless: {
      args: ["-c", program, "--format={format}", "{prompt}"],
      formats: { text: { value: "plain", output: "text" } },
      defaultFormat: "text"
    },
    mock: { env: { PARROT_URL: "{mockUrl}" } },
    sandbox: { stateDir: ".parrot" }
  })

describe("a headless run", () => {
  it("has both texts, its exit code and how long it took (55)", async () => {
    const result = await sh(liveAgentWorld(), "printf out; printf err >&2; exit 0")

    expect(result).toMatchObject({ stdout: "out", stderr: "err", exitCode: 0, signal: null, timedOut: false })
    expect(result.elapsedMs).toBeGreaterThan(0)
    expect(result.pid).toBeGreaterThan(1)
    assertHeadlessSuccess(result, "run")
  })

  it("reads nothing", async () => {
    expect((await sh(liveAgentWorld(), "cat; echo end")).stdout).toBe("end\n")
  })

  it("is killed at its cap although it does not want to end (56)", async () => {
    const result = await sh(liveAgentWorld(), "trap '' TERM; while :; do sleep 0.05; done", { capMs: 300 })

    expect(result).toMatchObject({ timedOut: true, signal: "SIGKILL", exitCode: null })
    expect(() => assertHeadlessSuccess(result, "run")).toThrow("timed out after 300 ms")
  })

  it("has all that was written when a descendant in its group holds its output (57)", async () => {
    const result = await sh(liveAgentWorld(), "printf partial; sleep 1000 & exit 0")

    expect(result).toMatchObject({ stdout: "partial", exitCode: 0, drainTimedOut: false })
  })

  it.runIf(isLinux)("has what was written when a descendant that left holds it (57)", async () => {
    const left = '"$TMPDIR/left"'
    const script = `printf partial; setsid sh -c 'echo >${left}; exec sleep 1000' & until [ -e ${left} ]; do sleep 0.01; done`
    const result = await sh(liveAgentWorld(), script, { allowDetached: true })

    expect(result).toMatchObject({ stdout: "partial", drainTimedOut: true, timedOut: false })
  })

  it("has what its sandbox and its caller say in its environment, and nothing else (58)", async () => {
    const world = liveAgentWorld({ AMBIENT_ONLY: "parent" })
    await using sandbox = await makeSandbox(world.sandboxes)
    const command = {
      program: "/bin/sh",
      args: [
        "-c",
        `printf "%s|%s|%s|%s" "\${AMBIENT_ONLY-unset}" "$GROK_PROMPT_SUGGESTIONS" "$FEATURE_TEST_VAR" "$HOME"`
      ],
      cwd: sandbox.paths.workspace,
      environment: { AMBIENT_ONLY: "discarded", GROK_PROMPT_SUGGESTIONS: "command-level-discarded" }
    }
    const env = { GROK_PROMPT_SUGGESTIONS: "explicit-override", FEATURE_TEST_VAR: "enabled" }

    const { stdout } = await runHeadlessInSandboxBorrowed(world, { command, sandbox, env })

    expect(stdout).toBe(`unset|explicit-override|enabled|${sandbox.paths.home}`)
  })

  it("leaves a borrowed sandbox, and removes one that was given away (59)", async () => {
    const world = liveAgentWorld()
    await using borrowed = await makeSandbox(world.sandboxes)
    const given = await makeSandbox(world.sandboxes)
    const command = { program: "/bin/sh", args: ["-c", 'printf kept > "$TMPDIR/note"'], cwd: "/" }
    await runHeadlessInSandboxBorrowed(world, { command, sandbox: borrowed })
    await runHeadlessInSandbox(world, { command, sandbox: given })

    expect(readFileSync(join(borrowed.paths.temp, "note"), "utf8")).toBe("kept")
    expect(existsSync(given.paths.root)).toBe(false)
  })

  it("keeps the newest 64 MiB of more, and says so", async () => {
    const script = `head -c 67108864 /dev/zero | tr '\\0' x; printf end`
    const { stdout, stdoutTruncated, stderrTruncated } = await sh(liveAgentWorld(), script)

    expect([stdout.length, stdout.slice(-4)]).toEqual([67_108_864, "xend"])
    expect([stdoutTruncated, stderrTruncated]).toEqual([true, false])
  })

  it("ends a hundred times at once and leaves nothing (62)", async () => {
    const world = liveAgentWorld()
    const results = await Promise.all(Array.from({ length: 100 }, () => sh(world, "true")))

    for (const result of results) assertHeadlessSuccess(result, "true")
    expect(results).toHaveLength(100)
    expect(readdirSync(world.baseFolder)).toEqual([])
    expect(world.host.alive()).toEqual([])
    expect(world.processes.armed()).toBe(0)
    expect(world.supervisor.alive()).toBe(1)
  })

  it("says what is not there, and where it would have run", async () => {
    const world = liveAgentWorld()
    const start = async (program: string, cwd: string) => {
      const sandbox = await makeSandbox(world.sandboxes)
      return runHeadlessInSandbox(world, { command: { program, cwd }, sandbox }).catch((error: unknown) => error)
    }
    const [program, folder] = [await start("/bin/none-such", "/"), await start("/bin/sh", "/none-such")]

    expect(program).toBeInstanceOf(BinaryNotFound)
    expect(String(program)).toMatch(/\/bin\/none-such\nsandbox root=/)
    expect(folder).toBeInstanceOf(SpawnCwdMissing)
    expect(String(folder)).toMatch(/\/none-such\nsandbox root=/)
    expect(readdirSync(world.baseFolder)).toEqual([])
  })
})

describe("a headless run of an agent", () => {
  it("runs its executable with exactly the arguments, wired to the mock", async () => {
    const world = liveAgentWorld({ PARROT: "/bin/sh" })
    const run = { profile: parrot(""), mockUrl: "http://127.0.0.1:4010/v1", cwd: "/" }
    const result = await runHeadless(world, { ...run, args: ["-c", 'printf "%s" "$PARROT_URL $*"', "x", "a b", "c"] })

    expect(result).toMatchObject({ stdout: "http://127.0.0.1:4010/v1 a b c", exitCode: 0 })
    expect(result.binary).toMatchObject({ path: "/bin/sh", because: "PARROT" })
    expect(readdirSync(world.baseFolder)).toEqual([])
  })

  it("runs a prompt with the arguments of its profile, and finds the answer", async () => {
    const world = liveAgentWorld({ PARROT: "/bin/sh" })
    const profile = parrot('printf "%s %s\\n" "$0" "$1"')
    const result = await runPrompt(world, { profile, cwd: "/", prompt: "hello you" })

    expect(result.said.answer).toBe("--format=plain hello you")
  })
})
