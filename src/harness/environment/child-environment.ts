import { ownerVariable } from "../../domain/owner-mark.ts"
import type { TextMap } from "../profile/agent-profile.ts"
import { applyChanges } from "./apply-changes.ts"
import type { EnvironmentRequest } from "./environment-request.ts"
import { fixedVariables, nonInteractiveVariables } from "./fixed-variables.ts"
import { platformVariables } from "./platform-variables.ts"

/**
 * The whole environment of a child, built from nothing.
 *
 * **Takes** plain data; nothing of the process it runs in is read
 * **Gives** from lowest to highest precedence: what the platform shares, hermetic git, fixed variables and kill switches,
 * the changes of the sandbox (mock wiring among them), non-interactive variables, the mark of ownership, the changes of
 * the process. What the profile forbids is never there
 * **Source** agent-harness.md, section 1.4.5
 *
 * @since 0.1.0
 * @category models
 */
export const childEnvironment = (request: EnvironmentRequest): TextMap => {
  const { parent, paths, profile, changes, ownerMark, ofProcess } = request
  const baseline = { ...platformVariables(parent), ...fixedVariables(parent.platform, paths, profile) }
  const ofSandbox = {
    ...applyChanges(baseline, changes, profile.mock),
    ...nonInteractiveVariables(parent.platform),
    ...(ownerMark === null ? {} : { [ownerVariable]: ownerMark })
  }
  const all = Object.entries(applyChanges(ofSandbox, ofProcess, profile.mock))
  return Object.fromEntries(all.filter(([name]) => !profile.sandbox.forbidden.includes(name)))
}
