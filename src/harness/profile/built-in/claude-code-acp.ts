import type { JsonObject } from "../agent-profile.ts"
import { claudeSurroundings } from "./claude-surroundings.ts"

/** The adapter that came before claude-agent-acp. Source: agent-harness.md, section 1.8; the README of the package. */
export const claudeCodeAcp: JsonObject = {
  id: "claude-code-acp",
  displayName: "claude-code-acp",
  tried: {
    acp: "real run",
    version: "0.16.2",
    note: "followed by claude-agent-acp. For a prompt without ACP use the profile claude"
  },
  binary: {
    env: ["CLAUDE_CODE_ACP_BINARY"],
    command: "claude-code-acp",
    package: { name: "@zed-industries/claude-code-acp", bin: "claude-code-acp" },
    interpreter: "node"
  },
  acp: { args: [] },
  ...claudeSurroundings
}
