import { describe, expect, it } from "vitest"
import { AgentClosed } from "../../src/domain/harness-errors.ts"
import { shortDiagnostics } from "../../src/domain/short-diagnostics.ts"

/* Seen to fail when a tail is cut at its end, when both streams share one bound, and when half a character may be left. */

const head = "process agent: pid 5, group adopted\n  state reaped, exit code 1, reason NaturalExit"

describe("shortDiagnostics", () => {
  it("leaves alone what is short", () => {
    const text = `${head}\n  stdout: 0 bytes\n  stderr: 5 bytes\n    no key\n  signal failed: EPERM`

    expect(shortDiagnostics(text)).toBe(text)
  })

  it("shows the end of each stream, and says how much came before", () => {
    const stream = (name: string) => `    first ${name}\n${"    another line\n".repeat(500)}    last ${name}`
    const short = shortDiagnostics(
      `${head}\n  stdout: 9000 bytes\n${stream("out")}\n  stderr: 9000 bytes\n${stream("err")}`
    )

    expect(short.length).toBeLessThan(4_500)
    expect(short).toContain("    last out\n  stderr: 9000 bytes\n    (")
    expect(short).toMatch(/\(\d+ characters before this are in "diagnostics"\)/)
    expect(short.endsWith("    last err")).toBe(true)
    expect(short).not.toContain("first")
  })

  it("cuts one long line too, and no character in half", () => {
    const short = shortDiagnostics(`${head}\n  stdout: 9 bytes\n    ${"🐟".repeat(40_000)}x`)

    expect(encodeURIComponent(short).length).toBeGreaterThan(0)
    expect([short.length < 2_300, short.endsWith("🐟x")]).toEqual([true, true])
  })

  it("is what the message of an error ends with; the error has all of it", () => {
    const diagnostics = `${head}\n  stdout: 65536 bytes\n    ${"y".repeat(65_536)}`
    const error = new AgentClosed("the agent has ended", { diagnostics })

    expect(error.message.startsWith("the agent has ended\nprocess agent")).toBe(true)
    expect(error.message.length).toBeLessThan(2_300)
    expect(error.diagnostics).toBe(diagnostics)
  })
})
