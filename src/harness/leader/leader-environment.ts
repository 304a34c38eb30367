import { mockVariables } from "../environment/apply-changes.ts"
import type { EnvironmentChange } from "../environment/environment-request.ts"
import { mockWiring } from "../environment/mock-wiring.ts"
import type { AgentProfile, TextMap } from "../profile/agent-profile.ts"
import { leaderOf } from "./leader-paths.ts"

/**
 * What a leader and each client of it are given besides their sandbox: where the model is, unless that is left to the sandbox, and
 * where the socket is.
 *
 * **Fails** with `SandboxError` for a URL that leads to another machine; see `mockWiring`
 * **Source** agent-harness.md, sections 1.5 and 5.2
 *
 * @since 0.1.0
 * @category models
 */
export const leaderChanges = (
  profile: AgentProfile,
  given: { readonly socketPath: string; readonly baseUrl: string | null; readonly env?: TextMap }
): ReadonlyArray<EnvironmentChange> => {
  const leader = leaderOf(profile)
  const wired = given.baseUrl === null ? {} : mockVariables(profile.mock, mockWiring(given.baseUrl))
  const named = Object.entries(wired).filter(([name]) => leader.mockEnv.includes(name))
  const values = { ...Object.fromEntries(named), [leader.socketEnv]: given.socketPath, ...leader.env, ...given.env }
  return [{ kind: "extend", values }]
}
