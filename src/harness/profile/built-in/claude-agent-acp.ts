import type { JsonObject } from "../agent-profile.ts"
import { claudeSurroundings } from "./claude-surroundings.ts"

/** claude behind an adapter that speaks ACP. Source: agent-harness.md, section 1.8; the README of the package. */
export const claudeAgentAcp: JsonObject = {
  id: "claude-agent-acp",
  displayName: "claude-agent-acp",
  tried: {
    acp: "real run",
    version: "0.49.0",
    note: "needs Node 22 or later. For a prompt without ACP use the profile claude"
  },
  binary: {
    env: ["CLAUDE_AGENT_ACP_BINARY"],
    command: "claude-agent-acp",
    package: { name: "@agentclientprotocol/claude-agent-acp", bin: "claude-agent-acp" },
    interpreter: "node"
  },
  acp: { args: [] },
  ...claudeSurroundings
}
