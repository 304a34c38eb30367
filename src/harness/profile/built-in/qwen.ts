import type { JsonObject } from "../agent-profile.ts"
import { nodeCrashes } from "./node-crashes.ts"

const settings = {
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  security: { auth: { selectedType: "openai" } },
  model: { name: "mock-model" }
}

/** Qwen Code. Source: the documentation that its package holds (headless, authentication, settings). */
export const qwen: JsonObject = {
  id: "qwen",
  displayName: "qwen",
  tried: {
    acp: "real run",
    headless: "real run",
    version: "0.15.10",
    note: "with HTTPS_PROXY set it goes to the proxy even for this machine; later releases need Node 22"
  },
  binary: {
    env: ["QWEN_BINARY"],
    command: "qwen",
    package: { name: "@qwen-code/qwen-code", bin: "qwen" },
    interpreter: "node"
  },
  acp: { args: ["--acp"], auth: { anyOf: ["openai"], meta: null } },
  headless: {
    args: ["-p", "{prompt}", "--yolo", "--output-format", "{format}"],
    formats: {
      text: { value: "text", output: "text" },
      // One array of all events.
      json: {
        value: "json",
        output: "json",
        terminal: { type: "result" },
        answer: { at: "/result" },
        sessionId: "/session_id"
      },
      ndjson: {
        value: "stream-json",
        output: "ndjson",
        terminal: { type: "result" },
        answer: { at: "/result" },
        sessionId: "/session_id"
      }
    }
  },
  mock: {
    env: { OPENAI_BASE_URL: "{mockUrl}", OPENAI_API_KEY: "{apiKey}", OPENAI_MODEL: "mock-model" },
    files: [{ path: "{stateDir}/settings.json", template: JSON.stringify(settings, null, 2) }],
    wire: ["ChatCompletions"]
  },
  sandbox: {
    homeEnv: { QWEN_HOME: "{stateDir}" },
    stateDir: ".qwen",
    killSwitches: { QWEN_TELEMETRY_ENABLED: "false" }
  },
  crashPatterns: nodeCrashes
}
