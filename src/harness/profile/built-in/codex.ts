import type { JsonObject } from "../agent-profile.ts"
import { codexConfig } from "./codex-config.ts"

const run = ["exec", "--skip-git-repo-check", "--sandbox", "read-only"]

/** The codex command line. Source: real-clients.md, section 4. */
export const codex: JsonObject = {
  id: "codex",
  displayName: "codex",
  tried: { headless: "real run", version: "0.171.0", note: "does not speak ACP; see codex-acp" },
  binary: {
    env: ["CODEX_BINARY"],
    command: "codex",
    package: { name: "@openai/codex", bin: "codex" },
    interpreter: "node"
  },
  headless: {
    args: [...run, "--json", "{prompt}"],
    defaultFormat: "ndjson",
    formats: {
      text: { value: "", args: [...run, "{prompt}"], output: "text" },
      ndjson: {
        value: "",
        output: "ndjson",
        terminal: { type: "turn.completed" },
        answer: { event: { type: "item.completed", item: { type: "agent_message" } }, at: "/item/text" }
      }
    }
  },
  mock: {
    env: { MOCK_API_KEY: "{apiKey}" },
    files: [{ path: "{stateDir}/config.toml", template: codexConfig({ keyVariable: "MOCK_API_KEY" }) }],
    wire: ["Responses"]
  },
  sandbox: { homeEnv: { CODEX_HOME: "{stateDir}" }, stateDir: ".codex" }
}
