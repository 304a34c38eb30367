import type { JsonObject } from "../agent-profile.ts"

const config = {
  autoupdate: false,
  share: "disabled",
  model: "mock/mock-model",
  small_model: "mock/mock-model",
  provider: {
    mock: {
      npm: "@ai-sdk/openai-compatible",
      name: "Mock",
      options: { baseURL: "{mockUrl}", apiKey: "{apiKey}" },
      models: { "mock-model": { name: "Mock" } }
    }
  }
}

/** opencode. Source: agent-harness.md, section 1.8, and the tool's documentation of its configuration. */
export const opencode: JsonObject = {
  id: "opencode",
  displayName: "opencode",
  tried: { acp: "real run", headless: "real run", version: "1.18.33" },
  binary: {
    env: ["OPENCODE_BINARY"],
    command: "opencode",
    package: { name: "opencode-ai", bin: "opencode" },
    interpreter: "node"
  },
  acp: { args: ["acp"], modelSelection: { configOption: "model" } },
  headless: { args: ["run", "{prompt}"] },
  mock: {
    env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(config) },
    wire: ["ChatCompletions"]
  },
  sandbox: {
    homeEnv: {
      XDG_CONFIG_HOME: "{home}/.config",
      XDG_DATA_HOME: "{home}/.local/share",
      XDG_STATE_HOME: "{home}/.local/state",
      XDG_CACHE_HOME: "{home}/.cache"
    },
    stateDir: ".local/share/opencode",
    killSwitches: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1"
    }
  }
}
