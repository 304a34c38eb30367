import fc from "fast-check"
import { expect, test } from "vitest"
import { KillTimeout } from "../src/domain/harness-errors.ts"
import {
  assertHeadlessSuccess,
  assertNoCrashes,
  crashPatterns,
  stderrTail
} from "../src/harness/headless/headless-assertions.ts"
import type { HeadlessResult } from "../src/harness/headless/headless-result.ts"
import { runHeadlessInSandbox } from "../src/harness/headless/run-headless.ts"
import { makeSandbox } from "../src/harness/sandbox/sandbox.ts"
import type { SimScript } from "../src/sim/process-script.ts"
import { type HeadlessScene, headlessScenes, plainScenes } from "./arbitraries/headless-runs.ts"
import { checkProperty } from "./check.ts"
import { type AgentStage, makeAgentStage } from "./observation/agent-stage.ts"

/** What came of a scene, on its stage. */
interface Played {
  readonly stage: AgentStage
  readonly result: HeadlessResult | null
  readonly error: unknown
}

const isResult = (value: unknown): value is HeadlessResult => typeof value === "object" && value !== null

const play = async ({ script, capMs, timeoutScale, choices }: HeadlessScene): Promise<Played> => {
  const stage = makeAgentStage(script, { choices, timeoutScale })
  const sandbox = await makeSandbox(stage.world.sandboxes)
  const command = { program: "/agent", cwd: "/" }
  const { value, error } = await stage.settled(runHeadlessInSandbox(stage.world, { command, sandbox, capMs }))
  return { stage, result: isResult(value) ? value : null, error }
}

const wasKilled = ({ machine }: AgentStage): boolean =>
  machine.signals.some(({ signal, isGroup }) => signal === "SIGKILL" && !isGroup)

/** Start, notice of the end, the last piece of a pipe: each takes at most so long. */
const slackMs = 3 * 40

// Seen to fail on these bugs, planted one at a time: every run that was to be killed counts as timed out; the process is asked to end
// first; there is no cap, or it is not stretched; a run is done with its first stream; it does not wait until nothing of it is left; the
// sandbox stays, or stays where the run has failed.
test("a run has one end, in time, and leaves nothing (H1, H2)", () => {
  const property = fc.asyncProperty(headlessScenes, async (scene) => {
    const { stage, result, error } = await play(scene)

    expect(stage.files.paths().filter((path) => path.startsWith("/sandboxes/us-"))).toEqual([])
    if (result === null) {
      expect(error).toBeInstanceOf(KillTimeout)
      expect(scene.script.killDelayMs).toBeGreaterThanOrEqual(5_000)
      return
    }
    const { exitCode, signal, timedOut, elapsedMs, capMs } = result
    expect([exitCode, signal].filter((end) => end !== null)).toHaveLength(1)
    expect(capMs).toBe(scene.capMs * scene.timeoutScale)
    if (timedOut) expect([signal, wasKilled(stage)]).toEqual(["SIGKILL", true])
    expect(stage.machine.signals.every((sent) => sent.signal === "SIGKILL")).toBe(true)
    if (timedOut) expect(elapsedMs).toBeGreaterThanOrEqual(capMs)
    expect(elapsedMs).toBeLessThanOrEqual(capMs + 5_000 + 2 * 2_000 + slackMs)
    if (result.drainTimedOut) expect(elapsedMs).toBeGreaterThanOrEqual(2_000)
    expect([stage.world.host.alive(), stage.machine.guarded()]).toEqual([[], []])
    // What the machine still does is soon over; a timer of ours would not be.
    stage.clock.advance(slackMs)
    expect([stage.clock.armed(), stage.machine.ours()]).toEqual([0, []])
  })
  return checkProperty("headless runs", property, { runs: 300 })
})

/** What a program has written to a stream when it ends by itself. */
const writes = ({ steps }: SimScript, stream: "stdout" | "stderr"): string => {
  const end = steps.findIndex(({ kind }) => kind === "exit" || kind === "crash")
  const bytes = steps
    .slice(0, end < 0 ? steps.length : end)
    .flatMap((step) => (step.kind === "write" && step.stream === stream ? [...step.bytes] : []))
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes))
}

// Seen to fail when both streams are collected in one place, and when a byte order mark at the beginning is dropped.
test("both streams are what was written to them, whatever it was (H3)", () => {
  const property = fc.asyncProperty(plainScenes, async (scene) => {
    const { result } = await play(scene)

    if (result === null) throw new Error("such a program can be killed")
    const written = { stdout: writes(scene.script, "stdout"), stderr: writes(scene.script, "stderr") }
    if (!result.timedOut) expect([result.stdout, result.stderr]).toEqual([written.stdout, written.stderr])
    // Cut inside of a character, it ends otherwise than the whole does.
    else expect(written.stdout.startsWith(result.stdout.replace(/\ufffd+$/, ""))).toBe(true)
    expect([result.stdoutTruncated, result.stderrTruncated, result.drainTimedOut]).toEqual([false, false, false])
  })
  return checkProperty("headless output", property, { runs: 300 })
})

const passes = (check: () => void): boolean => {
  try {
    check()
    return true
  } catch {
    return false
  }
}

// Seen to fail when a run passes that a signal ended, and when any exit code but 1 does.
test("a run succeeded exactly when it ended by itself with code 0 (H4)", () => {
  const property = fc.asyncProperty(headlessScenes, async (scene) => {
    const { result } = await play(scene)

    if (result === null) return
    const isGood = !result.timedOut && result.exitCode === 0
    expect(passes(() => assertHeadlessSuccess(result, "agent"))).toBe(isGood)
  })
  return checkProperty("headless success", property, { runs: 100 })
})

const anyCase = (text: string): fc.Arbitrary<string> =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((upper) => [...text].map((char, at) => (upper[at] ? char.toUpperCase() : char.toLowerCase())).join(""))

const pieces = fc.oneof(
  fc.constantFrom(...crashPatterns, "FATAL ERROR:", "panic", "seg", "fault", "\n").chain(anyCase),
  fc.string({ maxLength: 4 })
)

// Seen to fail when case counts, when only the first pattern is looked for, and when patterns of the caller are passed over.
test("output shows a crash exactly when one of the patterns is in it, in any case (H4)", () => {
  const property = fc.property(fc.array(pieces, { maxLength: 4 }), fc.boolean(), (parts, isNode) => {
    const stderr = parts.join("")
    const patterns = isNode ? ["FATAL ERROR:"] : []

    const hasOne = [...crashPatterns, ...patterns].some((pattern) =>
      new RegExp(pattern.replaceAll(/[^\w ]/g, "\\$&"), "i").test(stderr)
    )
    expect(passes(() => assertNoCrashes(stderr, { patterns }))).toBe(!hasOne)
  })
  checkProperty("headless crashes", property, { runs: 500 })
})

// Seen to fail when surrogates are cut apart, and when a character more or less is taken.
test("the end of a text is a suffix, short enough, whole, and as long as that allows (H5)", () => {
  const units = fc.oneof(fc.constantFrom("\ud83d", "\ude00", "😀", "é"), fc.string({ unit: "grapheme", maxLength: 2 }))
  const property = fc.property(fc.array(units, { maxLength: 8 }), fc.nat(12), (parts, max) => {
    const text = parts.join("")

    const tail = stderrTail(text, max)

    const isFit = (suffix: string): boolean => suffix.length <= max && !/\p{Surrogate}/u.test(suffix)
    expect(text.endsWith(tail)).toBe(true)
    expect(isFit(tail)).toBe(true)
    const longer = Array.from({ length: 2 }, (_, more) => text.slice(Math.max(0, text.length - tail.length - more - 1)))
    for (const suffix of longer) if (suffix.length > tail.length) expect(isFit(suffix)).toBe(false)
  })
  checkProperty("headless tail", property, { runs: 500 })
})
