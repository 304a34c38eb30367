import type { JsonObject } from "../agent-profile.ts"
import { nodeCrashes } from "./node-crashes.ts"

const models = {
  providers: {
    mock: { baseUrl: "{mockUrl}", apiKey: "{apiKey}", api: "openai-completions", models: [{ id: "mock-model" }] }
  }
}

/** pi, the smallest real agent. Source: real-clients.md, section 5; JSON mode from the tool's documentation. */
export const pi: JsonObject = {
  id: "pi",
  displayName: "pi",
  tried: { headless: "real run", version: "0.73.1", note: "does not speak ACP" },
  binary: {
    env: ["PI_BINARY"],
    command: "pi",
    package: { name: "@mariozechner/pi-coding-agent", bin: "pi" },
    interpreter: "node"
  },
  headless: {
    args: ["--model", "{model}", "-p", "{prompt}"],
    defaultModel: "mock/mock-model",
    formats: {
      text: { value: "text", output: "text" },
      ndjson: {
        value: "json",
        args: ["--mode", "{format}", "--model", "{model}", "{prompt}"],
        output: "ndjson",
        terminal: { type: "agent_end" },
        answer: { event: { type: "message_end", message: { role: "assistant" } }, at: "/message/content/0/text" }
      }
    }
  },
  mock: {
    files: [{ path: "{stateDir}/models.json", template: JSON.stringify(models, null, 2) }],
    wire: ["ChatCompletions"]
  },
  sandbox: {
    homeEnv: { PI_CODING_AGENT_DIR: "{stateDir}" },
    stateDir: ".pi/agent",
    killSwitches: { PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" }
  },
  crashPatterns: nodeCrashes
}
