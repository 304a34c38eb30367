import type { JsonObject } from "../agent-profile.ts"
import { codexConfig } from "./codex-config.ts"
import { nodeCrashes } from "./node-crashes.ts"

/** codex behind an adapter that speaks ACP. Source: agent-harness.md, section 1.8; the README of the package. */
export const codexAcp: JsonObject = {
  id: "codex-acp",
  displayName: "codex-acp",
  tried: {
    acp: "real run",
    version: "2.6.0",
    note: "brings a codex of its own; CODEX_PATH names another. For a prompt without ACP use the profile codex"
  },
  binary: {
    env: ["CODEX_ACP_BINARY"],
    command: "codex-acp",
    package: { name: "@agentclientprotocol/codex-acp", bin: "codex-acp" },
    interpreter: "node"
  },
  acp: { args: [], auth: { anyOf: ["api-key"], meta: null } },
  mock: {
    env: { OPENAI_API_KEY: "{apiKey}" },
    files: [{ path: "{stateDir}/config.toml", template: codexConfig({ keyVariable: "OPENAI_API_KEY" }) }],
    wire: ["Responses"]
  },
  sandbox: { homeEnv: { CODEX_HOME: "{stateDir}" }, stateDir: ".codex", killSwitches: { NO_BROWSER: "1" } },
  crashPatterns: nodeCrashes
}
