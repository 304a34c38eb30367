import type { JsonObject } from "../agent-profile.ts"
import { nodeCrashes } from "./node-crashes.ts"

/** A patch over what dsh ships, read from its home. */
const patch = `- id: llm-deepseek
  config:
    apiKeyEnv: DEEPSEEK_API_KEY
    baseURL: {mockUrl}
`

/**
 * The DeepSeek harness. Source: agent-harness.md, section 1.8, and for arguments and patch the README of the package,
 * whose published command has named profiles where earlier ones took `--config`.
 */
export const dsh: JsonObject = {
  id: "dsh",
  displayName: "dsh",
  tried: {
    acp: "documentation only",
    headless: "documentation only",
    version: "0.1.5-rc.2",
    note: "a developer preview whose configuration changes; an entry script is named by DSH_BINARY"
  },
  binary: {
    env: ["DSH_BINARY"],
    command: "dsh",
    package: { name: "@deepseek-ai/dsh", bin: "dsh" },
    interpreter: "node"
  },
  acp: { args: ["--profile", "acp"], leadingArgsPosition: "after", auth: "none", clientCapabilities: {} },
  headless: { args: ["--profile", "headless", "{prompt}"] },
  mock: {
    env: { DEEPSEEK_API_KEY: "{apiKey}" },
    files: [{ path: "{stateDir}/cordis.patch.yml", template: patch }],
    wire: ["ChatCompletions"]
  },
  sandbox: {
    homeEnv: { DSH_HOME: "{stateDir}", DSH_AGENTS_HOME: "{home}/.agents" },
    stateDir: ".dsh",
    killSwitches: { DSH_TELEMETRY_DISABLED: "1" }
  },
  crashPatterns: nodeCrashes
}
