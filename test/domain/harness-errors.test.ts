import { inspect } from "node:util"
import { processError } from "@vitest/utils/error"
import { expect, test } from "vitest"
import { type HarnessError, harnessErrorTags, isHarnessError } from "../../src/domain/harness-error.ts"
import * as errors from "../../src/domain/harness-errors.ts"
import * as scopeErrors from "../../src/domain/harness-scope-errors.ts"

const every: ReadonlyArray<HarnessError> = [
  new errors.ProfileInvalid("bad", { field: "binary.env[0]" }),
  new errors.BinaryNotFound("no agent", { path: null }),
  new errors.BuildFailed("exit 1", { code: 1, signal: null, stdout: "out", stderr: "err" }),
  new errors.SandboxError("left", { leftovers: ["/a"] }),
  new errors.SpawnFailed("refused", { code: "EACCES" }),
  new errors.SpawnCwdMissing("/gone"),
  new errors.KillTimeout("agent", { ms: 5000 }),
  new errors.AgentInputClosed("closed"),
  new errors.AgentClosed("ended"),
  new errors.AgentError("no such session", { what: "session/load", code: -32_602, data: { id: 1 } }),
  new errors.RequestTimeout("initialize", { ms: 20_000 }),
  new errors.WaitTimeout("a chunk", { ms: 10 }),
  new errors.ProtocolViolation("is JSON", { line: "x".repeat(1000) }),
  new errors.FrameTooLarge("a line", { limit: 1, length: 2 }),
  new scopeErrors.PermissionScriptError("no answer"),
  new scopeErrors.UnsupportedControl("no"),
  new scopeErrors.LeaderNotReady("late"),
  new scopeErrors.LeaderClientsActive("two clients", { count: 2 }),
  new scopeErrors.LeaderGone("gone"),
  new scopeErrors.PathTooLong("/a/b", { bytes: 108, limit: 107 }),
  new scopeErrors.ProxyBindFailed("in use"),
  new scopeErrors.ProxyFailed("broken"),
  new scopeErrors.CleanupFailed([new Error("first"), new Error("second")]),
  new scopeErrors.ResourceLeak(["pid 5", "/tmp/x"]),
  new scopeErrors.Cancelled("left")
]

test("every tag has one class, whose name is the tag", () => {
  expect(every.map(({ _tag }) => _tag)).toEqual(harnessErrorTags)
  expect(every.map(({ name }) => name)).toEqual(harnessErrorTags)
  expect(every.every((error) => isHarnessError(error, error._tag))).toBe(true)
})

test("the message ends with what was known of the process", () => {
  const error = new errors.RequestTimeout("initialize", { ms: 20_000, diagnostics: "agent, pid 7" })

  expect(error.message).toBe("initialize was not answered within 20000 ms\nagent, pid 7")
  expect(error.diagnostics).toBe("agent, pid 7")
  expect(new errors.AgentClosed("ended").diagnostics).toBe("")
})

test("a long line is shown short, and kept whole", () => {
  const error = new errors.ProtocolViolation("is JSON", { line: "x".repeat(1000) })

  expect(error.message.length).toBeLessThan(300)
  expect(error.line).toHaveLength(1000)
})

test("what was left behind stands line by line in the message", () => {
  expect(new scopeErrors.ResourceLeak(["pid 5", "/tmp/x"]).message).toBe("left behind:\n  pid 5\n  /tmp/x")
  expect(new scopeErrors.CleanupFailed([new Error("first"), new Error("second")]).message).toBe(
    "cleaning up failed:\n  first\n  second"
  )
})

/*
 * Seen to fail with `said`, `data`, `line`, `stdout` and `stderr` as own members, which all three print, and without `toJSON`, where
 * vitest reads accessors.
 */
const secret = "sk-live-0123456789abcdef"
const holding: ReadonlyArray<readonly [HarnessError, ReadonlyArray<string>]> = [
  [
    new errors.AgentError(`no ${secret}`, { what: "x", code: 1, data: { key: secret }, shown: "no <redacted>" }),
    ["said", "data"]
  ],
  [new errors.ProtocolViolation("is JSON", { line: `${"x".repeat(300)}${secret}` }), ["line"]],
  [new errors.BuildFailed("exit 1", { code: 1, signal: null, stdout: secret, stderr: secret }), ["stdout", "stderr"]]
]

test("what an agent wrote is read by name, and is not printed with the error that holds it", () => {
  for (const [error, names] of holding) {
    for (const name of names)
      expect(JSON.stringify(Reflect.get(error, name)), `${error.name}.${name}`).toContain(secret)
    const around = new scopeErrors.CleanupFailed([error], { cause: error })
    for (const one of [error, around]) {
      expect(inspect(one, { depth: 9, showHidden: true })).not.toContain(secret)
      expect(JSON.stringify(one)).not.toContain(secret)
      expect(JSON.stringify(Object.getOwnPropertyNames(one).map((name) => Reflect.get(one, name)))).not.toContain(
        secret
      )
      expect(JSON.stringify(processError(one))).not.toContain(secret)
    }
  }
})

test("an error is JSON with its tag, its message and what may be shown", () => {
  const error = new errors.AgentError("no", { what: "x", code: 1, diagnostics: "agent, pid 7" })

  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: "AgentError",
    _tag: "AgentError",
    message: "x was answered with error 1: no\nagent, pid 7",
    diagnostics: "agent, pid 7",
    code: 1
  })
})
