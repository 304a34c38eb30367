import { deepEqual, equal, match } from "node:assert/strict"
import { ScriptedResponse } from "llm-understudy"
import { loadProfile } from "llm-understudy/harness"
import { checkAgents } from "./agent-harness.mjs"
import { assertClean, callTurn, decisions, expectMainTurns, mainRequests, textTurn } from "./turns.mjs"

/** The provider that the profile names, and the one that codex brings, which is moved. */
const named = (profile) => profile
const builtIn = ({ mock, ...profile }) => ({
  ...profile,
  mock: { ...mock, env: { CODEX_API_KEY: "{apiKey}" }, files: mock.files.map(withBuiltIn) }
})

const withBuiltIn = ({ path, template }) => ({
  path,
  template: template
    .replace('model_provider = "mock"', 'openai_base_url = "{mockUrl}"')
    .replace(/\[model_providers\.mock\][^[]*/, "")
})

const clients = [
  { name: "responses", provided: named, refused: [] },
  // It asks for a WebSocket first.
  { name: "built-in", provided: builtIn, refused: ["GET /v1/responses 426"] }
].map((client) => ({ family: "codex 0.171.0", endpoint: "Responses", ...client }))

const profileOf = async ({ provided }) => provided(await loadProfile("codex"))

/** Gives a function that runs one turn and says what codex printed about it. */
const checkCodex = (title, body) =>
  checkAgents(clients, { profileOf }, title, ({ server, client, harness, profile, sandbox }) =>
    body({ server, client, ask: (prompt) => harness.runPrompt({ profile, sandbox, prompt }) })
  )

const answersIn = (stdout) =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .flatMap(({ type, item }) => (type === "item.completed" && item.type === "agent_message" ? [item.text] : []))

const main = "foreground /v1/responses"

checkCodex("answers hello with one request", async ({ server, client, ask }) => {
  const assertServed = expectMainTurns(server, client, [textTurn(client, "Sea is  calm\n")])

  const result = await ask("hello")

  assertClean(server, result, client)
  deepEqual(answersIn(result.stdout), ["Sea is  calm\n"])
  deepEqual(decisions(server), [main])
  equal(server.requestCount(), 1)
  const [{ body }] = server.requests()
  deepEqual([body.model, body.stream], ["mock-model", true])
  match(JSON.stringify(body.input.at(-1)), /hello/)
  assertServed()
})

checkCodex("runs the tool that it is asked for, and sends its output", async ({ server, client, ask }) => {
  const call = { callId: "call_kelp", name: "exec_command", arguments: '{"cmd":"echo $((6 * 7))"}' }
  const assertServed = expectMainTurns(server, client, [callTurn(client, call), textTurn(client, "all counted")])

  const result = await ask("count")

  assertClean(server, result, client)
  deepEqual(answersIn(result.stdout), ["all counted"])
  deepEqual(decisions(server), [main, main])
  const [, second] = mainRequests(server)
  const output = second.body.input.at(-1)
  deepEqual([output.type, output.call_id], ["function_call_output", "call_kelp"])
  assertServed()
})

checkCodex("tries again after a reset, and takes the next expectation", async ({ server, client, ask }) => {
  const assertServed = expectMainTurns(server, client, [ScriptedResponse.hangUp("rst"), textTurn(client, "at last")])

  const result = await ask("hello")

  assertClean(server, result, client)
  deepEqual(answersIn(result.stdout), ["at last"])
  deepEqual(decisions(server), [main, main])
  assertServed()
})
