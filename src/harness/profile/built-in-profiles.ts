import { ProfileInvalid } from "../../domain/harness-errors.ts"
import { suggestion } from "../../domain/spelling.ts"
import type { AgentProfile, JsonObject } from "./agent-profile.ts"
import { claude } from "./built-in/claude.ts"
import { claudeAgentAcp } from "./built-in/claude-agent-acp.ts"
import { claudeCodeAcp } from "./built-in/claude-code-acp.ts"
import { codex } from "./built-in/codex.ts"
import { codexAcp } from "./built-in/codex-acp.ts"
import { dsh } from "./built-in/dsh.ts"
import { fixture } from "./built-in/fixture.ts"
import { gemini } from "./built-in/gemini.ts"
import { grok } from "./built-in/grok.ts"
import { opencode } from "./built-in/opencode.ts"
import { pi } from "./built-in/pi.ts"
import { qwen } from "./built-in/qwen.ts"
import { readProfile } from "./read-profile.ts"

const sources: ReadonlyMap<string, JsonObject> = new Map(
  Object.entries({
    grok,
    codex,
    "codex-acp": codexAcp,
    claude,
    "claude-agent-acp": claudeAgentAcp,
    "claude-code-acp": claudeCodeAcp,
    dsh,
    gemini,
    qwen,
    opencode,
    pi,
    fixture
  })
)

/** Ids of the built-in profiles, the best tried first. */
export const builtInProfileIds: ReadonlyArray<string> = [...sources.keys()]

/**
 * A built-in profile.
 *
 * **Fails** with `ProfileInvalid` for an id that there is none of, with the one that was probably meant
 * **Source** agent-harness.md, section 1.8
 *
 * @since 0.1.0
 * @category constructors
 */
export const builtInProfile = (id: string): AgentProfile => {
  const source = sources.get(id)
  if (source !== undefined) return readProfile(source)
  const help = suggestion(id, builtInProfileIds) || `; there are ${builtInProfileIds.join(", ")}`
  throw new ProfileInvalid(`there is no built-in profile "${id}"${help}`, { field: "id" })
}
