import { describe, expect, it } from "vitest"
import {
  assertHeadlessSuccess,
  assertNoCrashes,
  nodeCrashPatterns,
  stderrTail
} from "../../../src/harness/headless/headless-assertions.ts"
import { parseJson, parseNdjson, terminalEvent } from "../../../src/harness/headless/headless-output.ts"
import type { HeadlessResult } from "../../../src/harness/headless/headless-result.ts"
import { builtInProfile } from "../../../src/harness/profile/built-in-profiles.ts"

const result = (parts: Partial<HeadlessResult> = {}): HeadlessResult => ({
  exitCode: 0,
  signal: null,
  stdout: "",
  stderr: parts.shownStderr ?? "",
  timedOut: false,
  capMs: 60_000,
  elapsedMs: 5,
  stdoutTruncated: false,
  stderrTruncated: false,
  drainTimedOut: false,
  diagnostics: "",
  shownStderr: "",
  binary: null,
  pid: 42,
  ...parts
})

describe("assertions about a run", () => {
  it("say first that it timed out, with the last 500 characters of stderr", () => {
    const shownStderr = `${"x".repeat(500)}${"y".repeat(500)}`
    const run = result({ timedOut: true, signal: "SIGKILL", exitCode: null, shownStderr })

    expect(() => assertHeadlessSuccess(run, "first turn")).toThrow(
      new Error(`first turn: timed out after 60000 ms\nstderr: ${"y".repeat(500)}`)
    )
  })

  it("then how it ended, with the last 1,000 characters and what the mock was asked", () => {
    const shownStderr = `x${"y".repeat(1_000)}`
    const log = { summary: () => "1 request" }

    expect(() => assertHeadlessSuccess(result({ exitCode: 7, shownStderr }), "turn", log)).toThrow(
      new Error(`turn: exited with code 7\nstderr: ${"y".repeat(1_000)}\nrequest log:\n1 request`)
    )
    expect(() => assertHeadlessSuccess(result({ exitCode: null, signal: "SIGSEGV" }), "turn")).toThrow(
      "turn: exited with SIGSEGV"
    )
    expect(() => assertHeadlessSuccess(result(), "turn")).not.toThrow()
  })

  it("know a crash by what stderr says, in any case (60)", () => {
    expect(() => assertNoCrashes("thread 'main' PANICKED AT src/main.rs")).toThrow('stderr contains "panicked at"')
    expect(() => assertNoCrashes("Segfault")).toThrow('stderr contains "segfault"')
    expect(() => assertNoCrashes("panic")).not.toThrow()
    expect(() => assertNoCrashes("FATAL ERROR: heap")).not.toThrow()
    expect(() => assertNoCrashes("fatal error: heap", { patterns: nodeCrashPatterns })).toThrow("FATAL ERROR:")
  })

  it("and by the signal that ended a run", () => {
    expect(() => assertNoCrashes(result({ exitCode: null, signal: "SIGBUS" }))).toThrow("ended by SIGBUS")
    expect(() => assertNoCrashes(result({ exitCode: null, signal: "SIGTERM" }))).not.toThrow()
  })

  it("show whole characters alone (61)", () => {
    expect(stderrTail("ééééé", 3)).toBe("ééé")
    expect(stderrTail("a😀b", 2)).toBe("b")
    expect(stderrTail("a😀b", 3)).toBe("😀b")
    expect(stderrTail("abc", 0)).toBe("")
  })
})

describe("what a run printed", () => {
  it("is read as one object, or shown", () => {
    expect(parseJson({ stdout: '{\n "text": "hello"\n}\n' })).toEqual({ text: "hello" })
    expect(() => parseJson({ stdout: "no" })).toThrow("stdout is no JSON: no")
    expect(() => parseJson({ stdout: "[1]" })).toThrow("stdout is JSON, but no object: [1]")
  })

  it("is read line by line, or the line is shown", () => {
    expect(parseNdjson({ stdout: '{"type":"text"}\n\n  \n7\n' })).toEqual([{ type: "text" }, 7])
    expect(() => parseNdjson({ stdout: '{"type":"text"}\n\noops\n' })).toThrow("line 3 of stdout is no JSON: oops")
  })

  it("has the terminal event of its format, or is shown", () => {
    const format = builtInProfile("grok").headless?.formats["ndjson"]
    if (format === undefined) throw new Error("the profile of grok has a format of that name")
    const end = { type: "end", stopReason: "EndTurn", sessionId: "s1" }

    expect(terminalEvent({ stdout: `{"type":"text"}\n${JSON.stringify(end)}\n` }, format)).toEqual(end)
    expect(() => terminalEvent({ stdout: '{"type":"text"}\n' }, format)).toThrow(/has no terminal event.*"text"/s)
  })
})
