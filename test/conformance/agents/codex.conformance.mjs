import { deepEqual, equal, match } from "node:assert/strict"
import { join } from "node:path"
import { MockModelEntry, ScriptedResponse } from "llm-understudy"
import { checkEach, folderOf } from "../check.mjs"
import { checkMsMax, run, withHome } from "./agent-process.mjs"
import { assertClean, callTurn, decisions, expectMainTurns, mainRequests, textTurn } from "./turns.mjs"

const named = (server) => `model_provider = "mock"

[model_providers.mock]
name = "Mock"
base_url = "${server.url()}"
wire_api = "responses"
env_key = "CODEX_API_KEY"
`
const builtIn = (server) => `openai_base_url = "${server.url()}"
`

const clients = [
  { name: "responses", provider: named, refused: [] },
  // It asks for a WebSocket first.
  { name: "built-in", provider: builtIn, refused: ["GET /v1/responses 426"] }
].map((client) => ({ family: "codex 0.171.0", endpoint: "Responses", ...client }))

const program = join(folderOf("agents"), "node_modules/@openai/codex/bin/codex.js")

/** One model, and nothing that calls anybody else. */
const configuration = (server, { provider }) => `model = "mock-model"
check_for_update_on_startup = false
${provider(server)}
[analytics]
enabled = false

[feedback]
enabled = false

[features]
plugins = false
apps = false
`

/** Gives a function that runs one turn and reads what codex says about it. */
const checkCodex = (title, body) =>
  checkEach(
    clients,
    title,
    (server, client) => {
      server.setModels([MockModelEntry.new("mock-model")])
      return withHome({ ".codex/config.toml": configuration(server, client) }, (home) => {
        const flags = ["exec", "--skip-git-repo-check", "--sandbox", "read-only", "--json"]
        const env = { CODEX_HOME: join(home.home, ".codex"), CODEX_API_KEY: "x" }
        const ask = (prompt) => run([process.execPath, program, ...flags, prompt], home, env)
        return body({ server, client, ask })
      })
    },
    { ms: checkMsMax }
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
