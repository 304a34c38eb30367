import { loadProfile } from "llm-understudy/harness"
import { checkAgents } from "./agent-harness.mjs"

const clients = [
  { name: "chat", endpoint: "ChatCompletions", backend: "chat_completions" },
  { name: "responses", endpoint: "Responses", backend: "responses" },
  { name: "messages", endpoint: "Messages", backend: "messages" }
].map((client) => ({ family: "grok 1.0.41", ...client }))

/** One model on one API, which writes the titles too. */
const configuration = ({ backend }) => `[models]
default = "mm"
session_summary = "mm"

[model.mm]
model = "mock-model"
base_url = "{mockUrl}"
api_backend = "${backend}"
api_key = "x"
context_window = 128000
`

const profileOf = async (client) => {
  const grok = await loadProfile("grok")
  const files = [{ path: "{stateDir}/config.toml", template: configuration(client) }]
  return { ...grok, mock: { ...grok.mock, files } }
}

/** A row for each API that grok speaks. */
export const checkGrokAgents = (title, body) => checkAgents(clients, { profileOf }, title, body)

/** The same for one API, where the API makes no difference. */
export const checkGrokAgent = (title, body) => checkAgents(clients.slice(0, 1), { profileOf }, title, body)

/** Gives a function that runs one headless turn; all turns of a check share a home. */
export const checkGrok = (title, body) =>
  checkGrokAgents(title, ({ server, client, harness, profile, sandbox }) => {
    const ask = (prompt, ...options) => {
      const args = ["-p", prompt, "--yolo", "--output-format", "json", ...options]
      return harness.runHeadless({ profile, sandbox, args })
    }
    return body({ server, client, ask })
  })
