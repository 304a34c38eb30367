import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict"
import { ScriptedResponse } from "llm-understudy"
import { apiError, paths } from "../scripts.mjs"
import { checkGrok } from "./grok-clients.mjs"
import { assertClean, callTurn, decisions, expectMainTurns, mainRequests, textTurn } from "./turns.mjs"

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

  const { exitCode, stderr } = await ask("hello")

  equal(exitCode, 1)
  ok(stderr !== "")
  equal(mainRequests(server).length, 1)
  assertServed()
})
