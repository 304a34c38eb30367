import { expect, it } from "vitest"
import { shownStderrMax } from "../../../src/domain/session-limits.ts"
import { endError, type SessionCore } from "../../../src/harness/session/session-core.ts"

// Seen to fail with stderr that was cut before it was redacted: half of a secret is not recognised as one.
it("shows no part of a secret at which stderr is cut", () => {
  const secret = "sk-0123456789abcdef"
  const stderr = `${secret}${"x".repeat(shownStderrMax - 10)}`
  const process = {
    label: "agent",
    status: { code: 1, signal: null },
    stderr: { text: () => stderr },
    diagnostics: () => ""
  }
  const parts = { process, shown: (text: string) => text.replaceAll(secret, "<redacted>") }

  const error = endError({ failure: null, isClosedByTest: false, parts } as unknown as SessionCore)

  expect(error.message).not.toContain("9abcdef")
  expect(error.message).toContain("<redacted>xxx")
})
