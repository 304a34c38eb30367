import { deepEqual, equal, match } from "node:assert/strict"
import { loadProfile } from "llm-understudy/harness"
import { apiError, atOnce, paths, requestsOf, retryCounts } from "../scripts.mjs"
import { checkAgents } from "./agent-harness.mjs"
import { assertClean, callTurn, decisions, expectMainTurns, textTurn } from "./turns.mjs"

const clients = [
  { name: "chat", endpoint: "ChatCompletions", api: "openai-completions" },
  { name: "responses", endpoint: "Responses", api: "openai-responses" },
  { name: "messages", endpoint: "Messages", api: "anthropic-messages" }
].map((client) => ({ family: "pi 0.73.1", ...client }))

const profileOf = async ({ api, endpoint }) => {
  const pi = await loadProfile("pi")
  const baseUrl = endpoint === "Messages" ? "{mockOrigin}" : "{mockUrl}"
  const configuration = { providers: { mock: { baseUrl, apiKey: "{apiKey}", api, models: [{ id: "mock-model" }] } } }
  const files = [{ path: "{stateDir}/models.json", template: JSON.stringify(configuration) }]
  return { ...pi, mock: { ...pi.mock, files } }
}

const checkPi = (title, body) =>
  checkAgents(clients, { profileOf }, title, ({ server, client, harness, profile, sandbox }) =>
    body({ server, client, ask: (prompt) => harness.runPrompt({ profile, sandbox, prompt }) })
  )

checkPi("answers hello with one request", async ({ server, client, ask }) => {
  const assertServed = expectMainTurns(server, client, [textTurn(client, "Sea is  calm")])

  const result = await ask("hello")

  assertClean(server, result)
  equal(result.stdout, "Sea is  calm\n")
  deepEqual(decisions(server), [`foreground ${paths[client.endpoint]}`])
  equal(server.requestCount(), 1)
  match(JSON.stringify(server.requests()[0].body), /hello/)
  assertServed()
})

checkPi("runs the tool that it is asked for, and sends its output", async ({ server, client, ask }) => {
  const call = { callId: "call_kelp", name: "bash", arguments: '{"command":"echo $((6 * 7))"}' }
  const assertServed = expectMainTurns(server, client, [callTurn(client, call), textTurn(client, "all counted")])

  const result = await ask("count")

  assertClean(server, result)
  equal(result.stdout, "all counted\n")
  const [, second] = requestsOf(server, client.endpoint)
  const sent = JSON.stringify(second.body)
  match(sent, /call_kelp/)
  match(sent, /"42/)
  assertServed()
})

checkPi("tries again after a 500, with the next retry count", async ({ server, client, ask }) => {
  const failing = apiError(client.endpoint, 500, { headers: atOnce })
  const assertServed = expectMainTurns(server, client, [failing, textTurn(client, "at last")])

  const result = await ask("hello")

  assertClean(server, result)
  equal(result.stdout, "at last\n")
  deepEqual(retryCounts(server), ["0", "1"])
  assertServed()
})
