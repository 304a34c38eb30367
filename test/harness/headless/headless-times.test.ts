import { describe, expect, it } from "vitest"
import { makeAgentStage } from "../../../properties/observation/agent-stage.ts"
import { KillTimeout, SpawnFailed } from "../../../src/domain/harness-errors.ts"
import type { HeadlessOptions } from "../../../src/harness/headless/headless-options.ts"
import type { HeadlessResult } from "../../../src/harness/headless/headless-result.ts"
import { runHeadlessInSandbox } from "../../../src/harness/headless/run-headless.ts"
import { makeSandbox } from "../../../src/harness/sandbox/sandbox.ts"
import type { SimProgram, SimScript, SimStep } from "../../../src/sim/process-script.ts"

const forever: SimStep = { kind: "sleep", ms: Number.POSITIVE_INFINITY }

const write = (text: string, stream: "stdout" | "stderr" = "stdout"): SimStep => ({
  kind: "write",
  stream,
  bytes: new TextEncoder().encode(text)
})

const stubborn: SimScript = { steps: [write("partial"), forever], onTerminate: "ignore" }

/** Leaves a descendant that holds its output, and ends. */
const leaving = (leaves: boolean): SimScript => ({
  steps: [write("partial"), { kind: "fork", script: { steps: [forever] }, leaves, holds: ["stdout"] }]
})

const isResult = (value: unknown): value is HeadlessResult => typeof value === "object" && value !== null

const run = async (
  agent: SimProgram,
  options: HeadlessOptions = {},
  stageOptions: Parameters<typeof makeAgentStage>[1] = {}
) => {
  const stage = makeAgentStage(agent, stageOptions)
  const sandbox = await makeSandbox(stage.world.sandboxes)
  const command = { program: "/agent", cwd: "/" }
  const { at, value, error } = await stage.settled(runHeadlessInSandbox(stage.world, { command, sandbox, ...options }))
  return { stage, at, error, result: isResult(value) ? value : null }
}

describe("in virtual time", () => {
  it("a run is killed exactly at its cap, with its whole group and without being asked, and is a result (56)", async () => {
    const { at, result, stage } = await run(stubborn, { capMs: 300 })

    expect(at).toBe(300)
    expect(result).toMatchObject({
      timedOut: true,
      signal: "SIGKILL",
      exitCode: null,
      stdout: "partial",
      elapsedMs: 300,
      capMs: 300
    })
    expect(stage.machine.signals.map(({ signal, isGroup }) => `${signal} ${isGroup}`)).toEqual([
      "SIGKILL true",
      "SIGKILL false",
      "SIGKILL true"
    ])
  })

  it("the cap is 60 seconds, and is stretched", async () => {
    expect((await run(stubborn)).at).toBe(60_000)
    expect((await run(stubborn, {}, { timeoutScale: 3 })).at).toBe(180_000)
  })

  it("a descendant in its group holds nothing up (57)", async () => {
    const { at, result } = await run(leaving(false))

    expect(at).toBe(0)
    expect(result).toMatchObject({ stdout: "partial", drainTimedOut: false, timedOut: false, exitCode: 0 })
  })

  it("output that a descendant holds is waited for exactly two seconds, whatever the scale, and is told of (57)", async () => {
    const { at, result, stage } = await run(leaving(true), { allowDetached: true }, { timeoutScale: 3 })

    expect(at).toBe(2_000)
    expect(result).toMatchObject({ stdout: "partial", drainTimedOut: true, exitCode: 0, elapsedMs: 2_000 })
    expect(stage.told).toEqual([
      "warning: agent: only the end of its stdout is known: it had not ended when the drain bound was over"
    ])
  })

  it("a run that ends while it is drained has not timed out", async () => {
    const { result } = await run(leaving(true), { capMs: 1_000 })

    expect(result).toMatchObject({ timedOut: false, exitCode: 0, elapsedMs: 2_000 })
  })

  it("one that cannot be killed is an error with what is known of it, after the kill wait", async () => {
    const { at, error, stage } = await run({ ...stubborn, killDelayMs: Number.POSITIVE_INFINITY }, { capMs: 300 })

    expect(at).toBe(5_300)
    expect(error).toBeInstanceOf(KillTimeout)
    expect(String(error)).toContain("    partial")
    expect(stage.files.paths().filter((path) => path.startsWith("/sandboxes/us-"))).toEqual([])
  })

  it("one that cannot be started is an error with its program and its sandbox, which is gone", async () => {
    const { error, stage } = await run({ refusedWith: "EACCES" })

    expect(error).toBeInstanceOf(SpawnFailed)
    expect(String(error)).toMatch(/\/agent: agent could not be started: EACCES\nsandbox root=\/sandboxes\/us-000001 /)
    expect(stage.files.paths().filter((path) => path.startsWith("/sandboxes/us-"))).toEqual([])
  })

  it("says how long it took, where that is wanted", async () => {
    const { stage } = await run({ steps: [{ kind: "sleep", ms: 1_234 }] }, {}, { showsTiming: true })

    expect(stage.told).toEqual(["[harness-timing] agent: 1234 ms (timed_out=false)"])
  })

  it("shows no secret in an error, and keeps it in the result", async () => {
    const { result } = await run(
      { steps: [write("the key is sk-12345678\n", "stderr"), { kind: "exit", code: 2 }] },
      {},
      { redact: (text) => text.replaceAll("sk-12345678", "<redacted>") }
    )

    expect(result?.stderr).toBe("the key is sk-12345678\n")
    expect(result?.shownStderr).toBe("the key is <redacted>\n")
  })
})
