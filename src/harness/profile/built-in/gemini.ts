import type { JsonObject } from "../agent-profile.ts"
import { nodeCrashes } from "./node-crashes.ts"

const settings = {
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  security: { auth: { selectedType: "gemini-api-key" } }
}

/** The Gemini command line. Source: agent-harness.md, section 1.8; headless mode from the tool's documentation. */
export const gemini: JsonObject = {
  id: "gemini",
  displayName: "gemini",
  tried: {
    acp: "real run",
    headless: "documentation only",
    version: "0.61.0",
    note: "speaks the Gemini API, which the mock does not: run as far as a session, no prompt. Older: --experimental-acp"
  },
  binary: {
    env: ["GEMINI_BINARY"],
    command: "gemini",
    package: { name: "@google/gemini-cli", bin: "gemini" },
    interpreter: "node"
  },
  acp: { args: ["--acp"], auth: { anyOf: ["gemini-api-key"], meta: null } },
  headless: {
    args: ["-p", "{prompt}", "--output-format", "{format}"],
    formats: {
      text: { value: "text", output: "text" },
      json: { value: "json", output: "json", answer: { at: "/response" } },
      ndjson: {
        value: "stream-json",
        output: "ndjson",
        terminal: { type: "result" },
        events: ["init", "message", "tool_use", "tool_result", "error", "result"]
      }
    }
  },
  mock: {
    env: { GOOGLE_GEMINI_BASE_URL: "{mockOrigin}", GEMINI_API_KEY: "{apiKey}" },
    files: [{ path: "{stateDir}/settings.json", template: JSON.stringify(settings, null, 2) }],
    wire: ["Gemini"]
  },
  sandbox: {
    // The tool makes the folder .gemini inside.
    homeEnv: { GEMINI_CLI_HOME: "{home}" },
    stateDir: ".gemini",
    killSwitches: { GEMINI_CLI_TRUST_WORKSPACE: "true" }
  },
  crashPatterns: nodeCrashes
}
