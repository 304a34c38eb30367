import fc from "fast-check"
import { expect, test } from "vitest"
import { ownerVariable } from "../src/domain/owner-mark.ts"
import { childEnvironment } from "../src/harness/environment/child-environment.ts"
import { guardVariable } from "../src/harness/environment/environment-guard.ts"
import type { EnvironmentChange, EnvironmentRequest } from "../src/harness/environment/environment-request.ts"
import { nonInteractiveVariables } from "../src/harness/environment/fixed-variables.ts"
import { readProfile } from "../src/harness/profile/read-profile.ts"
import {
  anyChanges,
  anyMockChange,
  anyName,
  anyOverride,
  anyParent,
  parentMark,
  pathsOf
} from "./arbitraries/harness-environments.ts"
import { anyBuiltIn, anyProfileSource } from "./arbitraries/harness-profiles.ts"
import { checkProperty } from "./check.ts"

const anyProfile = fc.oneof(anyBuiltIn, anyProfileSource.map(readProfile))

const anyRequest: fc.Arbitrary<EnvironmentRequest> = fc
  .record({
    parent: anyParent,
    profile: anyProfile,
    changes: anyChanges,
    ownerMark: fc.constantFrom(null, "run:1"),
    ofProcess: fc.array(anyOverride, { maxLength: 3 })
  })
  .map((request) => ({ ...request, paths: pathsOf(request.profile) }))

/** What is allowed, fixed and non-interactive, from the document and not from the code. */
const allowedNames = (platform: string): ReadonlyArray<string> =>
  platform === "win32"
    ? ["PATH", "PATHEXT", "SystemRoot", "WINDIR", "ComSpec", "NUMBER_OF_PROCESSORS", "GIT_BIN_PATH"]
    : ["PATH", "LANG", "LC_ALL", "DYLD_LIBRARY_PATH", "LD_LIBRARY_PATH", "GIT_BIN_PATH", "SHELL"]

const fixedNames = [
  ...["HOME", "USERPROFILE", "TMPDIR", "TMP", "TEMP", "OTEL_SDK_DISABLED", "DISABLE_TELEMETRY"],
  ...["DISABLE_FEEDBACK_COMMAND", "NO_PROXY", "no_proxy", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL"],
  ...["GIT_TERMINAL_PROMPT", "GIT_ASKPASS", "GIT_LFS_SKIP_SMUDGE", "PAGER", "GIT_PAGER"]
]

const nonInteractiveNames = [
  ...["PAGER", "GIT_PAGER", "GH_PAGER", "MANPAGER", "SYSTEMD_PAGER", "AWS_PAGER", "GIT_EDITOR"],
  ...["GIT_SEQUENCE_EDITOR", "GIT_TERMINAL_PROMPT", "GPG_TTY"]
]

const writtenBy = (changes: ReadonlyArray<EnvironmentChange>): ReadonlyArray<string> =>
  changes.flatMap((change) => {
    if (change.kind === "set") return [change.name]
    return change.kind === "extend" ? Object.keys(change.values) : []
  })

// Seen to fail when variables that begin with `LC_` are let through, when another system than Linux is allowed more, when
// `GIT_ASKPASS` comes from the parent together with its git, and when a parent's proxy is kept.
test("E1. a child has what is allowed, fixed, wired, overridden, non-interactive or its mark, and nothing else", () =>
  checkProperty(
    "nothing leaks in",
    fc.property(anyRequest, (request) => {
      const { parent, profile, changes, ofProcess } = request
      const child = childEnvironment(request)
      const allowed = allowedNames(parent.platform)
      const possible = new Set([
        ...allowed,
        ...(parent.platform === "win32" ? [] : ["SHELL"]),
        ...["GIT_EXEC_PATH", ownerVariable],
        ...fixedNames,
        ...nonInteractiveNames,
        ...Object.keys(profile.sandbox.homeEnv),
        ...Object.keys(profile.sandbox.killSwitches),
        ...Object.keys(profile.mock.env),
        ...writtenBy([...changes, ...ofProcess])
      ])

      expect(Object.keys(child).filter((name) => !possible.has(name))).toEqual([])
      for (const [name, value] of Object.entries(child)) {
        if (value.includes(parentMark)) expect([...allowed, "GIT_EXEC_PATH"]).toContain(name)
      }
    }),
    { runs: 300 }
  ))

const frozen = <A>(value: A): A => {
  if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) frozen(inner)
    Object.freeze(value)
  }
  return value
}

// Seen to fail when `SHELL` is read from the process that tests, when `TMPDIR` falls back to it, and when the changes are
// sorted in place.
test("E2. the environment follows from what is given, and giving it changes nothing", () =>
  checkProperty(
    "environments are pure",
    fc.property(anyRequest, anyName, fc.string({ maxLength: 4 }), (request, name, value) => {
      const first = childEnvironment(frozen(request))
      const ambient = { ...process.env }
      const guards = ["SHELL", "PATH", "TMPDIR", "LANG", "HOME"].map((changed) =>
        guardVariable(process.env, changed, `changed ${name}`)
      )
      try {
        const unseen = { ...request.parent.variables, [`UNSEEN_${name}`]: value }
        const again = childEnvironment({ ...request, parent: { ...request.parent, variables: unseen } })

        expect(again).toEqual(first)
        expect(Object.keys(again)).toEqual(Object.keys(first))
      } finally {
        for (const guard of guards.reverse()) guard[Symbol.dispose]()
      }
      expect({ ...process.env }).toEqual(ambient)
    }),
    { runs: 200 }
  ))

// Seen to fail when `extend` keeps what is there, when `remove` takes only what the baseline has, and when all removals
// are done last.
test("E3. overrides give what replaying them on a plain map gives", () =>
  checkProperty(
    "overrides are replayed",
    fc.property(anyRequest, fc.array(anyOverride, { maxLength: 20 }), (request, overrides) => {
      const baseline = childEnvironment({ ...request, changes: [], ofProcess: [], ownerMark: null })
      const child = childEnvironment({ ...request, changes: overrides, ofProcess: [], ownerMark: null })
      const model = new Map(Object.entries(baseline))
      for (const override of overrides) {
        if (override.kind === "set") model.set(override.name, override.value)
        if (override.kind === "remove") model.delete(override.name)
        if (override.kind === "extend")
          for (const [name, value] of Object.entries(override.values)) model.set(name, value)
      }
      for (const [name, value] of Object.entries(nonInteractiveVariables(request.parent.platform)))
        model.set(name, value)
      for (const name of request.profile.sandbox.forbidden) model.delete(name)

      expect(new Map(Object.entries(child))).toEqual(model)
    }),
    { runs: 300 }
  ))

// Seen to fail when what is forbidden is taken away before the changes of the process.
test("E3. what one process overrides is replayed in the same way, over everything else", () =>
  checkProperty(
    "overrides of a process",
    fc.property(anyRequest, fc.nat(), (asked, pick) => {
      const { forbidden } = asked.profile.sandbox
      const name = forbidden[pick % forbidden.length] ?? "TERM"
      const request = { ...asked, ofProcess: [...asked.ofProcess, { kind: "set" as const, name, value: "set anyway" }] }
      const without = childEnvironment({ ...request, ofProcess: [] })
      const model = new Map(Object.entries(without))
      for (const override of request.ofProcess) {
        if (override.kind === "set") model.set(override.name, override.value)
        if (override.kind === "remove") model.delete(override.name)
        if (override.kind === "extend")
          for (const [name, value] of Object.entries(override.values)) model.set(name, value)
      }
      for (const name of request.profile.sandbox.forbidden) model.delete(name)

      expect(new Map(Object.entries(childEnvironment(request)))).toEqual(model)
    })
  ))

// Seen to fail when wiring also sets `OPENAI_BASE_URL`, when it passes over variables that an override has set, and when
// the origin is filled in with its path.
test("E4. wiring a mock writes exactly the mock's variables, and later overrides win over it", () =>
  checkProperty(
    "wiring is exact",
    fc.property(anyRequest, anyMockChange, fc.array(anyOverride, { maxLength: 4 }), (request, wired, later) => {
      const plain = { ...request, ofProcess: [] }
      const before = childEnvironment(plain)
      const after = childEnvironment({ ...plain, changes: [...plain.changes, wired] })
      const { mockUrl } = wired.wiring
      const filled = { mockUrl, mockOrigin: mockUrl.replace(/\/v1$/, ""), apiKey: "test-key-for-ci" }
      const expected = Object.fromEntries(
        Object.entries(plain.profile.mock.env).map(([name, template]) => [
          name,
          Object.entries(filled).reduce((text, [word, value]) => text.replaceAll(`{${word}}`, value), template)
        ])
      )
      const hidden = [...plain.profile.sandbox.forbidden, ...nonInteractiveNames, ownerVariable]
      const written = Object.fromEntries(Object.entries(expected).filter(([name]) => !hidden.includes(name)))

      expect(after).toEqual({ ...before, ...written })
      const last = childEnvironment({ ...plain, changes: [...plain.changes, wired, ...later] })
      for (const override of later.slice(-1)) {
        if (override.kind === "set" && !hidden.includes(override.name)) expect(last[override.name]).toBe(override.value)
      }
    }),
    { runs: 200 }
  ))
