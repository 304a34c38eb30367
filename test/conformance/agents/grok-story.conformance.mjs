import { deepEqual, equal, match } from "node:assert/strict"
import { InferenceRequestMatcher, ScriptedResponse } from "llm-understudy"
import { traced } from "../outcomes.mjs"
import { apiError, cutAfter, enqueue, requestsOf } from "../scripts.mjs"
import { checkGrok } from "./grok-clients.mjs"
import { assertClean, textTurn } from "./turns.mjs"

/** Each says nothing about trying again, and is scripted once. */
const faults = {
  "a stream reset after event 3": (client) => cutAfter(textTurn(client, "lost at sea"), 3),
  "a reset before the head": () => ScriptedResponse.hangUp("rst"),
  "a 503": ({ endpoint }) => apiError(endpoint, 503)
}

/** Lets the server answer a held call, and waits until that is over. */
const proceedToEnd = (server, call) => {
  call.proceed()
  return traced(server, ({ type, request }) => type === "ended" && request === call.number)
}

/** When the title is answered: while the fault of the turn is there to be taken, or while its answer is. */
const orders = {
  "before the turn": async ({ server, title, turn }) => {
    await proceedToEnd(server, title)
    turn.proceed()
  },
  "between its tries": async ({ server, title, turn }) => {
    const next = server.next({ kind: "foreground" })
    turn.proceed()
    const second = await next
    await proceedToEnd(server, title)
    second.proceed()
  }
}

const foreground = ({ endpoint }) => InferenceRequestMatcher.foreground(endpoint)

/**
 * Runs a turn, with an answer of its own for the title. `act` gets the title call and the first try of the turn, which
 * have both arrived and are held. A run that is over before `act` fails.
 */
const runBesideTitle = async ({ server, client, ask }, act) => {
  const auxiliary = InferenceRequestMatcher.auxiliary(client.endpoint)
  server.expectResponse("title", auxiliary, textTurn(client, "A calm sea"))
  const play = async () => {
    const held = await server.gather(2)
    const [title, turn] = ["auxiliary", "foreground"].map((kind) => held.find((call) => call.kind === kind))
    await act({ server, title, turn })
  }
  const asked = ask("hello")
  const early = asked.then(({ exitCode, stderr }) => {
    throw new Error(`grok ended with ${exitCode} before the story was over: ${stderr}`)
  })
  await Promise.race([play(), early])
  return asked
}

/** What answered the requests of a kind, in the order of their arrival: the name of an expectation, or another source. */
const answersTo = (server, client, kind) =>
  requestsOf(server, client.endpoint)
    .filter((entry) => entry.kind === kind)
    .map(({ answer }) => answer.expectation ?? answer.source)

/** Asserts that the title got its answer, the turn got these, and nothing is left over. */
const assertTold = (server, client, turns) => {
  deepEqual(answersTo(server, client, "auxiliary"), ["title"])
  deepEqual(answersTo(server, client, "foreground"), turns)
  server.verify()
}

const textOf = ({ stdout }) => JSON.parse(stdout).text

for (const [fault, scriptOf] of Object.entries(faults)) {
  for (const [when, act] of Object.entries(orders)) {
    checkGrok(
      `story: ${fault}, then an answer, are for the tries of the turn; the title comes ${when}`,
      async ({ server, client, ask }) => {
        server.setStrict(true)
        server.expectAttempts("turn", foreground(client), [scriptOf(client), textTurn(client, "Sea is calm")])

        const result = await runBesideTitle({ server, client, ask }, act)

        assertClean(server, result)
        // It keeps the words that it had read.
        match(textOf(result), /^(lost( at)?)?Sea is calm$/)
        assertTold(server, client, ["turn#1", "turn#2"])
      }
    )
  }
}

checkGrok("story: a second try without a script leaves the answer of the next turn alone", async (check) => {
  const { server, client, ask } = check
  server.expectAttempts("turn", foreground(client), [faults["a stream reset after event 3"](client)])
  server.expectResponse("next turn", foreground(client), textTurn(client, "and warm"))

  const first = await runBesideTitle(check, orders["before the turn"])
  const second = await ask("and the water?", "--resume", JSON.parse(first.stdout).sessionId)

  for (const result of [first, second]) assertClean(server, result)
  match(textOf(first), /Echo: .*hello/s)
  equal(textOf(second), "and warm")
  assertTold(server, client, ["turn#1", "mode", "next turn"])
})

for (const isFirst of [true, false]) {
  checkGrok(
    `story: the one answer of the turn is not for the title that comes ${isFirst ? "before" : "beside"} it`,
    async ({ server, client, ask }) => {
      server.setStrict(true)
      const answer = server.expectResponseBlocked("turn", foreground(client), textTurn(client, "Sea is calm"))

      const result = await runBesideTitle({ server, client, ask }, async ({ title, turn }) => {
        if (!isFirst) turn.proceed()
        await proceedToEnd(server, title)
        if (isFirst) turn.proceed()
        answer.release()
      })

      assertClean(server, result)
      equal(textOf(result), "Sea is calm")
      assertTold(server, client, ["turn"])
    }
  )
}

for (const [when, act] of Object.entries(orders)) {
  checkGrok(
    `story: a queue of a fault and an answer is for the turn; the title, which is expected, comes ${when}`,
    async ({ server, client, ask }) => {
      server.setStrict(true)
      enqueue(server, client.endpoint, ScriptedResponse.hangUp("rst"), textTurn(client, "Sea is calm"))

      const result = await runBesideTitle({ server, client, ask }, act)

      assertClean(server, result)
      equal(textOf(result), "Sea is calm")
      assertTold(server, client, ["queue", "queue"])
    }
  )
}
