import type { JsonObject } from "../agent-profile.ts"

/** Variables that leader and clients of it are given again; the others of the mock are the sandbox's alone. */
const leaderUrls = [
  "GROK_CLI_CHAT_PROXY_BASE_URL",
  "GROK_XAI_API_BASE_URL",
  "GROK_MODELS_BASE_URL",
  "GROK_FEEDBACK_BASE_URL",
  "GROK_TRACE_UPLOAD_URL"
]

const otherUrls = ["GROK_MANAGED_CONFIG_URL", "GROK_CODE_WEB_URL", "GROK_CONVERSATIONS_BASE_URL"]

/** The grok command line, for which all of this was made first. Source: agent-harness.md, sections 1.2 to 1.8, 2.4, 4.5, 5. */
export const grok: JsonObject = {
  id: "grok",
  displayName: "grok",
  tried: { acp: "real run", headless: "real run", version: "1.0.41" },
  binary: {
    env: ["GROK_BINARY"],
    roleEnv: { leader: "GROK_BINARY_LEADER", client: "GROK_BINARY_CLIENT" },
    buildEnv: ["CARGO_BIN_EXE_xai-grok-pager"],
    command: "grok",
    package: { name: "@xai-official/grok", bin: "grok" }
  },
  acp: {
    args: ["agent", "stdio"],
    initializeMeta: {
      startupHints: { nonInteractive: true, skipGitStatus: true, skipProjectLayout: true },
      clientType: "test-client",
      clientVersion: "0.0.0-test"
    },
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    auth: { methodId: "xai.api_key", meta: { headless: true } },
    modelSelection: { newSessionMeta: "modelId" },
    exitsOnStdinEof: { exits: true, withinMs: 30_000 }
  },
  headless: {
    args: ["-p", "{prompt}", "--yolo", "--output-format", "{format}"],
    formats: {
      text: { value: "plain", output: "text" },
      json: { value: "json", output: "json", answer: { at: "/text" }, sessionId: "/sessionId" },
      ndjson: {
        value: "streaming-json",
        output: "ndjson",
        terminal: { type: "end" },
        answer: { event: { type: "text" }, at: "/data", parts: "all" },
        sessionId: "/sessionId",
        events: [
          "text",
          "thought",
          "tool_call",
          "tool_call_update",
          "plan",
          "available_commands",
          "usage",
          "max_turns_reached",
          "error",
          "auto_compact_started",
          "auto_compact_completed",
          "auto_compact_failed",
          "auto_compact_cancelled",
          "auto_continue_completed",
          "image_compressed",
          "end"
        ]
      },
      messages: {
        value: "streaming-messages-json",
        output: "ndjson",
        terminal: { type: "result" },
        answer: { at: "/result" },
        sessionId: "/session_id",
        events: ["system", "assistant", "result"]
      }
    }
  },
  mock: {
    env: {
      ...Object.fromEntries([...leaderUrls, ...otherUrls].map((name) => [name, "{mockUrl}"])),
      XAI_API_KEY: "{apiKey}"
    },
    wire: ["ChatCompletions", "Responses", "Messages"]
  },
  sandbox: {
    homeEnv: { GROK_HOME: "{stateDir}" },
    stateDir: ".grok",
    killSwitches: {
      GROK_TELEMETRY_ENABLED: "false",
      GROK_TELEMETRY_TRACE_UPLOAD: "false",
      GROK_FEEDBACK_ENABLED: "false",
      GROK_TRACE_UPLOAD: "false",
      GROK_INSTRUMENTATION: "disabled",
      GROK_DISABLE_AUTOUPDATER: "1",
      GROK_PROMPT_SUGGESTIONS: "false",
      // The summary after a turn would be one more request than was scripted.
      GROK_TURN_SUMMARY: "0"
    }
  },
  ext: { prefixes: ["x.ai/"] },
  leader: {
    args: ["agent", "leader", "--no-exit-on-disconnect", "--relay-on-demand", "--no-auto-update"],
    clientArgs: ["agent", "--leader", "stdio"],
    socketEnv: "GROK_LEADER_SOCKET",
    mockEnv: [...leaderUrls, "XAI_API_KEY"],
    env: { RUST_LOG: "xai_grok_shell=debug" }
  },
  signals: { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }
}
