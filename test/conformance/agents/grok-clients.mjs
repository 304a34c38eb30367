import { join } from "node:path"
import { MockModelEntry } from "llm-understudy"
import { checkEach, folderOf } from "../check.mjs"
import { checkMsMax, run, withHome } from "./agent-process.mjs"

const clients = [
  { name: "chat", endpoint: "ChatCompletions", backend: "chat_completions" },
  { name: "responses", endpoint: "Responses", backend: "responses" },
  { name: "messages", endpoint: "Messages", backend: "messages" }
].map((client) => ({ family: "grok 1.0.41", ...client }))

const program = join(folderOf("agents"), "node_modules/.bin/grok")

/** One model on one API, which writes the titles too. */
const configuration = (server, { backend }) => `[models]
default = "mm"
session_summary = "mm"

[model.mm]
model = "mock-model"
base_url = "${server.url()}"
api_backend = "${backend}"
api_key = "x"
context_window = 128000
`

const endpoints = [
  "GROK_MODELS_BASE_URL",
  "GROK_XAI_API_BASE_URL",
  "GROK_CLI_CHAT_PROXY_BASE_URL",
  "GROK_CONVERSATIONS_BASE_URL",
  "GROK_FEEDBACK_BASE_URL",
  "GROK_TRACE_UPLOAD_URL",
  "GROK_MANAGED_CONFIG_URL",
  "GROK_CODE_WEB_URL"
]

/** Everything on our server, and no call but titles and turns. */
const environment = (server, { home }) => ({
  GROK_HOME: join(home, ".grok"),
  GIT_CONFIG_NOSYSTEM: "1",
  PAGER: "cat",
  XAI_API_KEY: "x",
  GROK_TURN_SUMMARY: "0",
  GROK_PROMPT_SUGGESTIONS: "false",
  GROK_TELEMETRY_ENABLED: "false",
  GROK_TELEMETRY_TRACE_UPLOAD: "false",
  GROK_TRACE_UPLOAD: "false",
  GROK_FEEDBACK_ENABLED: "false",
  GROK_INSTRUMENTATION: "disabled",
  OTEL_SDK_DISABLED: "true",
  DISABLE_TELEMETRY: "1",
  DISABLE_FEEDBACK_COMMAND: "1",
  GROK_DISABLE_AUTOUPDATER: "1",
  ...Object.fromEntries(endpoints.map((name) => [name, server.url()]))
})

/** Gives a function that runs one headless turn; all turns of a check share a home. */
export const checkGrok = (title, body) =>
  checkEach(
    clients,
    title,
    (server, client) => {
      server.setModels([MockModelEntry.new("mock-model")])
      return withHome({ ".grok/config.toml": configuration(server, client) }, (home) => {
        const ask = (prompt, ...options) =>
          run([program, "-p", prompt, "--yolo", "--output-format", "json", ...options], home, environment(server, home))
        return body({ server, client, ask })
      })
    },
    { ms: checkMsMax }
  )
