import { deepEqual, equal, match } from "node:assert/strict"
import { join } from "node:path"
import { MockModelEntry } from "llm-understudy"
import { checkEach, folderOf } from "../check.mjs"
import { apiError, atOnce, paths, requestsOf, retryCounts } from "../scripts.mjs"
import { checkMsMax, run, withHome } from "./agent-process.mjs"
import { assertClean, callTurn, decisions, expectMainTurns, textTurn } from "./turns.mjs"

const clients = [
  { name: "chat", endpoint: "ChatCompletions", api: "openai-completions" },
  { name: "responses", endpoint: "Responses", api: "openai-responses" },
  { name: "messages", endpoint: "Messages", api: "anthropic-messages" }
].map((client) => ({ family: "pi 0.73.1", ...client }))

const program = join(folderOf("agents"), "node_modules/@mariozechner/pi-coding-agent/dist/cli.js")

const configuration = (server, { api, endpoint }) => {
  const baseUrl = endpoint === "Messages" ? server.origin() : server.url()
  return JSON.stringify({ providers: { mock: { baseUrl, apiKey: "x", api, models: [{ id: "mock-model" }] } } })
}

const checkPi = (title, body) =>
  checkEach(
    clients,
    title,
    (server, client) => {
      server.setModels([MockModelEntry.new("mock-model")])
      return withHome({ ".pi/agent/models.json": configuration(server, client) }, (home) => {
        const flags = ["--model", "mock/mock-model", "-p"]
        const ask = (prompt) => run([process.execPath, program, ...flags, prompt], home, { PI_OFFLINE: "1" })
        return body({ server, client, ask })
      })
    },
    { ms: checkMsMax }
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
