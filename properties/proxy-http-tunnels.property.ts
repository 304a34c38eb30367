import fc from "fast-check"
import { expect, test } from "vitest"
import type { PlanSource } from "../src/proxy/plan/plan-source.ts"
import { latin1Bytes } from "../src/wire/http/latin1.ts"
import { type ParsedMessage, parsedRequests, parsedResponse } from "../test/proxy/http/node-parsers.ts"
import { playHttp } from "../test/proxy/http/play-http.ts"
import { cutters } from "./arbitraries/framed-streams.ts"
import type { WrittenExchange, WrittenMessage } from "./arbitraries/http-messages.ts"
import { askedTunnels, type Said } from "./arbitraries/http-tunnels.ts"
import { checkProperty } from "./check.ts"
import { framesIn } from "./observation/http-frames.ts"

/* Requests for something else than HTTP through the whole proxy, beside what docs/proxy.md says of them. */

const scenes = fc.record({
  asked: askedTunnels,
  ahead: fc.array(fc.nat(2), { maxLength: 6 }),
  cut: cutters,
  seed: fc.nat(0xffff)
})

/** With a rule for which frames have to be whole, and without. */
const plans = fc.constantFrom<PlanSource>(
  { rules: [] },
  { rules: [{ direction: "both", match: { where: { "/none": 1 } }, action: "stall" }] }
)

const told = ({ text: _, ...message }: WrittenMessage): ParsedMessage => message

const asRequest = (message: WrittenMessage): ParsedMessage => ({
  ...told(message),
  headers: message.headers.map((line) => line.replace(/^(accept-encoding): .*$/i, "$1: identity"))
})

const expectRequests = async (text: string, written: ReadonlyArray<WrittenExchange>): Promise<void> =>
  expect(await parsedRequests(latin1Bytes(text))).toEqual(written.map(({ request }) => asRequest(request)))

const total = (messages: ReadonlyArray<WrittenMessage>): number =>
  messages.reduce((sum, message) => sum + framesIn(message), 0)

// Seen to fail when 101 or a granted CONNECT is no tunnel, a refused CONNECT is one, a 1xx answers, what follows a request with Upgrade or a
// CONNECT does not wait, or is never asked for again, the body of such a request waits too, and when a head comes again behind itself.
test("X1. behind a tunnel that is granted all bytes go as they are, and behind one that is refused HTTP goes on", async () => {
  const property = fc.asyncProperty(scenes, plans, async ({ asked, ahead, cut, seed }, plan) => {
    const { before, asking, hasty, raw, after, isGranted, informed, bodies } = asked
    const together: Said = {
      request: { text: asking.request.text + hasty.request.text },
      response: { text: asking.response.text + hasty.response.text }
    }
    const play = await playHttp({ written: [...before, together, ...raw, ...after], ahead, cut, seed }, plan)

    const [start, rest, ...more] = play.requests.split(asking.request.text)
    expect(more).toEqual([])
    await expectRequests(start ?? "", before)
    // All of the request has gone on by then, and nothing of what waits for its answer.
    expect(play.requestsBefore[before.length]).toBe(`${start}${asking.request.text}`)
    if (isGranted) expect(rest).toBe([hasty, ...raw].map(({ request }) => request.text).join(""))
    else await expectRequests(rest ?? "", after)

    const came = play.responses
    for (const [place, { method, response }] of [...before, ...after].entries()) {
      const at = place < before.length ? place : place + 1
      expect(await parsedResponse(latin1Bytes(came[at] ?? ""), method)).toEqual(told(response))
    }
    expect(came[before.length]).toBe(together.response.text)
    expect(came.slice(before.length + 1, before.length + 1 + raw.length)).toEqual(
      raw.map(({ response }) => response.text)
    )

    const { clientToLeader, leaderToClient } = play.report
    expect([clientToLeader.error, leaderToClient.error]).toEqual([null, null])
    const frames = {
      clientToLeader: total([...before, ...after].map(({ request }) => request)) + 1 + bodies.request,
      leaderToClient: total([...before, ...after].map(({ response }) => response)) + 1 + informed + bodies.response
    }
    // Of what is raw every chunk counts, and nobody knows how many there are.
    if (isGranted) {
      expect(clientToLeader.delivered).toBeGreaterThan(frames.clientToLeader)
      expect(leaderToClient.delivered).toBeGreaterThan(frames.leaderToClient)
    } else
      expect([clientToLeader.delivered, leaderToClient.delivered]).toEqual([
        frames.clientToLeader,
        frames.leaderToClient
      ])
  })
  await checkProperty("X1 HTTP tunnels", property)
})
