import fc from "fast-check"
import type { EnvironmentChange, SandboxPaths } from "../../src/harness/environment/environment-request.ts"
import { mockWiring } from "../../src/harness/environment/mock-wiring.ts"
import { allowedVariables } from "../../src/harness/environment/platform-variables.ts"
import type { AgentProfile, TextMap } from "../../src/harness/profile/agent-profile.ts"
import { layoutOf } from "../../src/harness/profile/layout.ts"
import type { ParentProcess } from "../../src/ports/parent-process.ts"

/** The system of a parent; Windows has an allowlist of its own. */
export const anyPlatform = fc.constantFrom("linux", "darwin", "win32")

/** Names that something knows: they are allowed, fixed, forbidden to leak, or of an agent. */
const knownNames = [
  ...allowedVariables("linux"),
  ...allowedVariables("win32"),
  ...["HOME", "USERPROFILE", "TMPDIR", "PAGER", "GIT_EDITOR", "GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL", "NO_PROXY"],
  ...["HTTP_PROXY", "https_proxy", "ALL_PROXY", "NODE_OPTIONS", "NODE_PATH", "npm_config_x", "XDG_CONFIG_HOME"],
  ...["GROK_HOME", "GROK_LEADER_SOCKET", "GROK_DEBUG_LOG", "XAI_API_KEY", "CODEX_HOME", "HARNESS_OWNER", "LC_CTYPE"],
  ...["__proto__", "constructor", "TERM", "LANGUAGE", "ELECTRON_RUN_AS_NODE"]
]

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghij0123456789"

export const anyName = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...knownNames) },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 }) }
)

/** What only a parent's variables hold, so that it can be told where it went. */
export const parentMark = "«of the parent»"

const parentValue = fc
  .oneof(fc.constantFrom("", "a", "/usr/bin:/bin", "tools/git", "/opt/git/bin/git", "C:\\git\\git.exe"), fc.string())
  .map((value) => `${value.replaceAll("\0", "")}${parentMark}`)

/** A process with any variables at all; a value shows where it came from. */
export const anyParent: fc.Arbitrary<ParentProcess> = fc.record({
  platform: anyPlatform,
  variables: fc.dictionary(anyName, fc.option(parentValue, { nil: undefined }), { maxKeys: 24 }),
  cwd: fc.constant("/repo/place")
})

const changedValue = fc.oneof(fc.constantFrom("", "x", "less", "http://127.0.0.1:1/v1"), fc.string({ maxLength: 8 }))

/** What a test does to a sandbox, but for the mock. */
export const anyOverride: fc.Arbitrary<EnvironmentChange> = fc.oneof(
  fc.record({ kind: fc.constant("set" as const), name: anyName, value: changedValue }),
  fc.record({
    kind: fc.constant("extend" as const),
    values: fc.dictionary(anyName, changedValue, { maxKeys: 4 }).map((values): TextMap => ({ ...values }))
  }),
  fc.record({ kind: fc.constant("remove" as const), name: anyName })
)

export const anyMockChange: fc.Arbitrary<Extract<EnvironmentChange, { readonly kind: "mock" }>> = fc
  .tuple(fc.constantFrom("127.0.0.1", "localhost", "[::1]"), fc.integer({ min: 1, max: 65_535 }))
  .map(([host, port]) => ({ kind: "mock", wiring: mockWiring(`http://${host}:${port}/v1`) }))

/** Overrides, with the mock wired anywhere between them. */
export const anyChanges = fc.array(
  fc.oneof({ weight: 4, arbitrary: anyOverride }, { weight: 1, arbitrary: anyMockChange }),
  {
    maxLength: 12
  }
)

/** Where a sandbox of this profile would be. */
export const pathsOf = ({ sandbox }: AgentProfile, root = "/t/us-000001"): SandboxPaths => {
  const { home, stateDir, workspace, temp } = layoutOf("linux", sandbox.stateDir)
  return {
    root,
    home: `${root}/${home}`,
    stateDir: `${root}/${stateDir}`,
    workspace: `${root}/${workspace}`,
    temp: `${root}/${temp}`
  }
}
