import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict"
import { join } from "node:path"
import { MockModelEntry, ScriptedResponse } from "llm-understudy"
import { checkEach, folderOf } from "../check.mjs"
import { apiError, paths } from "../scripts.mjs"
import { checkMsMax, run, withHome } from "./agent-process.mjs"
import { assertClean, callTurn, decisions, expectMainTurns, mainRequests, textTurn } from "./turns.mjs"

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
const checkGrok = (title, body) =>
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

checkGrok("answers hello, with one title call beside the main call", async ({ server, client, ask }) => {
  const assertServed = expectMainTurns(server, client, [textTurn(client, "Sea is  calm\n\n```\n  x\n```\n")])

  const result = await ask("hello")

  assertClean(server, result)
  equal(JSON.parse(result.stdout).text.trim(), "Sea is  calm\n\n```\n  x\n```")
  const [first, ...others] = server.requests()
  equal(`${first.method} ${first.path}`, "GET /v1/models")
  const path = paths[client.endpoint]
  deepEqual(
    others.map((entry) => entry.path),
    [path, path]
  )
  deepEqual(decisions(server).sort(), [`auxiliary ${path}`, `foreground ${path}`])
  const [main] = mainRequests(server)
  equal(main.header("x-grok-turn-idx"), "1")
  match(JSON.stringify(main.body), /<user_query>.{1,4}hello/)
  assertServed()
})

checkGrok("answers hello by the echo of the server", async ({ server, ask }) => {
  const result = await ask("hello")

  assertClean(server, result)
  match(JSON.parse(result.stdout).text, /^Echo: .*hello/s)
})

checkGrok("resumed, it sends the first turn along and makes no title", async ({ server, client, ask }) => {
  const assertServed = expectMainTurns(server, client, [
    textTurn(client, "first answer"),
    textTurn(client, "second answer")
  ])
  const { sessionId } = JSON.parse((await ask("hello")).stdout)

  const result = await ask("and again", "--resume", sessionId)

  assertClean(server, result)
  const said = JSON.parse(result.stdout)
  deepEqual([said.text, said.sessionId], ["second answer", sessionId])
  const path = paths[client.endpoint]
  deepEqual(decisions(server).sort(), [`auxiliary ${path}`, `foreground ${path}`, `foreground ${path}`])
  const [first, second] = mainRequests(server)
  equal(second.header("x-grok-turn-idx"), "2")
  notEqual(second.header("x-grok-req-id"), first.header("x-grok-req-id"))
  match(JSON.stringify(second.body), /first answer/)
  assertServed()
})

checkGrok(
  "runs the tool that it is asked for, and sends the result in the same turn",
  async ({ server, client, ask }) => {
    const input = JSON.stringify({ command: "echo $((6 * 7))", description: "count" })
    const call = { callId: "call_kelp", name: "run_terminal_command", arguments: input }
    const assertServed = expectMainTurns(server, client, [callTurn(client, call), textTurn(client, "all counted")])

    const result = await ask("count")

    assertClean(server, result)
    equal(JSON.parse(result.stdout).text, "all counted")
    const [first, second] = mainRequests(server)
    equal(second.header("x-grok-req-id"), first.header("x-grok-req-id"))
    match(JSON.stringify(second.body), /call_kelp/)
    match(JSON.stringify(second.body), /exit: 0\\n42/)
    assertServed()
  }
)

checkGrok("tries again after a reset, and takes the next expectation", async ({ server, client, ask }) => {
  const assertServed = expectMainTurns(server, client, [ScriptedResponse.hangUp("rst"), textTurn(client, "at last")])

  const result = await ask("hello")

  assertClean(server, result)
  equal(JSON.parse(result.stdout).text, "at last")
  const [first, second] = mainRequests(server)
  deepEqual(second.body, first.body)
  assertServed()
})

checkGrok("fails at once on a 500 that says not to retry", async ({ server, client, ask }) => {
  const refusal = apiError(client.endpoint, 500, { message: "out of order", headers: [["x-should-retry", "false"]] })
  const assertServed = expectMainTurns(server, client, [refusal])

  const { code, stderr } = await ask("hello")

  equal(code, 1)
  ok(stderr !== "")
  equal(mainRequests(server).length, 1)
  assertServed()
})
