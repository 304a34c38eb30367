import fc from "fast-check"
import { expect, test } from "vitest"
import type { ActionSource, PlanSource } from "../src/proxy/plan/plan-source.ts"
import { latin1Bytes } from "../src/wire/http/latin1.ts"
import { type ParsedMessage, parsedRequests, parsedResponse } from "../test/proxy/http/node-parsers.ts"
import { type BehindAnswer, type HttpPlay, playHttp } from "../test/proxy/http/play-http.ts"
import { cutters } from "./arbitraries/framed-streams.ts"
import { exchanges, type WrittenExchange, type WrittenMessage } from "./arbitraries/http-messages.ts"
import { checkProperty } from "./check.ts"
import { bodyThatCame } from "./observation/body-that-came.ts"
import { eventsOf, framesIn, stretchesOf } from "./observation/http-frames.ts"

/* Exchanges of HTTP through the whole proxy, beside what docs/proxy.md says of them. */

const scenes = fc.record({
  written: exchanges,
  ahead: fc.array(fc.nat(2), { maxLength: 4 }),
  cut: cutters,
  seed: fc.nat(0xffff)
})

const total = (messages: ReadonlyArray<WrittenMessage>): number =>
  messages.reduce((sum, message) => sum + framesIn(message), 0)

/** Lengths may be told in another way where a rule may change them. */
const isNoLength = (line: string): boolean => !/^(content-length|transfer-encoding):/i.test(line)

const withoutLength = (message: ParsedMessage): ParsedMessage => ({
  ...message,
  headers: message.headers.filter(isNoLength)
})

/** A message as it is to be read, `text` left out. */
const told = ({ text: _, ...message }: WrittenMessage, body = message.body): ParsedMessage => ({ ...message, body })

interface Exchanges {
  readonly written: ReadonlyArray<WrittenExchange>
}

const expectRequests = async ({ requests }: HttpPlay, { written }: Exchanges): Promise<void> => {
  const expected = written.map(({ request }) => ({
    ...told(request),
    headers: request.headers.map((line) => line.replace(/^(accept-encoding): .*$/i, "$1: identity"))
  }))
  expect(await parsedRequests(latin1Bytes(requests))).toEqual(expected)
}

// Seen to fail when an answer to HEAD has a body, a 1xx answers, what is written is no chunk, trailers are lost, comments are counted,
// Accept-Encoding stays, and when the reader does not hear that a body ends with its connection.
test("X1. HTTP goes through a proxy without a plan as it was sent, and its frames are counted", async () => {
  const property = fc.asyncProperty(
    scenes,
    fc.constantFrom<PlanSource>({ rules: [] }, { rules: [looking] }),
    async (scene, plan) => {
      const play = await playHttp(scene, plan)

      await expectRequests(play, scene)
      for (const [place, { method, response }] of scene.written.entries()) {
        expect(await parsedResponse(latin1Bytes(play.responses[place] ?? ""), method)).toEqual(told(response))
      }
      const { clientToLeader, leaderToClient } = play.report
      expect([clientToLeader.delivered, leaderToClient.delivered]).toEqual([
        total(scene.written.map(({ request }) => request)),
        total(scene.written.map(({ response }) => response))
      ])
      expect([clientToLeader.error, leaderToClient.error]).toEqual([null, null])
    }
  )
  await checkProperty("X1 HTTP proxy", property)
})

/** What is done to an event, and what is left of it then. */
interface Touch {
  readonly action: ActionSource
  readonly left: (event: string) => string
}

const latin1Letter = (code: number): string => String.fromCharCode(code)

const touches: fc.Arbitrary<Touch> = fc.oneof(
  fc.constant<Touch>({ action: "drop", left: () => "" }),
  fc.integer({ min: 2, max: 3 }).map(
    (copies): Touch => ({
      action: { type: "duplicate", copies },
      left: (event) => event.repeat(copies)
    })
  ),
  fc.nat(12).map((keep): Touch => ({ action: { type: "truncateBody", keep }, left: (event) => event.slice(0, keep) })),
  fc.constantFrom("before", "after").map(
    (at): Touch => ({
      action: { type: "inject", bytes: { text: ": x\n" }, at },
      left: (event) => (at === "before" ? `: x\n${event}` : `${event}: x\n`)
    })
  ),
  fc.nat(3).map(
    (offset): Touch => ({
      action: { type: "corrupt", offset, xor: 1 },
      left: (event) =>
        [...event].map((letter, at) => (at === offset ? latin1Letter(letter.charCodeAt(0) ^ 1) : letter)).join("")
    })
  ),
  fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }).map(
    (chunkSizes): Touch => ({
      action: { type: "splitWrites", chunkSizes },
      left: (event) => event
    })
  )
)

/** Scenes that have an event, and the number of the one that something happens to. */
const eventScenes = fc
  .tuple(scenes, fc.nat(1_000))
  .map(([scene, share]) => {
    const events = eventsOf(scene.written.map(({ response }) => response))
    return { scene, event: events[Math.floor((share / 1_001) * events.length)] }
  })
  .filter(({ event }) => event !== undefined)
  .map(({ scene, event }) => {
    if (event === undefined) throw new Error("it was filtered")
    const { response, method } = scene.written[event.exchange] ?? missing()
    const stretches = stretchesOf(response).map(({ text }) => text)
    return {
      scene,
      event,
      method,
      before: stretches.slice(0, event.stretch).join(""),
      text: stretches[event.stretch] ?? "",
      after: stretches.slice(event.stretch + 1).join("")
    }
  })

const missing = (): never => {
  throw new Error("there is no such exchange")
}

/** A rule that no frame matches, and for which each has to be whole. */
const looking = { direction: "both", match: { where: { "/none": 1 } }, action: "stall" } as const

/** Plans that do something to one frame of the answers. */
const plans = fc.boolean().map(
  (isLooking) =>
    (index: number, action: ActionSource): PlanSource => ({
      rules: [...(isLooking ? [looking] : []), { direction: "u2c", match: { index }, action }]
    })
)

// Seen to fail when a length is kept that a rule changes, copies share one chunk, an LF behind a CR is never waited for, and when a run
// counts as one frame.
test("X19. what is done to one event of an answer is seen there, and nowhere else", async () => {
  const property = fc.asyncProperty(eventScenes, touches, plans, async (drawn, touch, planFor) => {
    const { scene, event, before, text, after } = drawn
    const play = await playHttp(scene, planFor(event.index, touch.action))

    await expectRequests(play, scene)
    for (const [place, { method, response }] of scene.written.entries()) {
      const body = place === event.exchange ? before + touch.left(text) + after : response.body
      const came = await parsedResponse(latin1Bytes(play.responses[place] ?? ""), method)
      expect(withoutLength(came)).toEqual(withoutLength(told(response, body)))
    }
    const { received, delivered, dropped } = play.report.leaderToClient
    const all = total(scene.written.map(({ response }) => response))
    expect({ received, delivered, dropped }).toEqual(
      touch.action === "drop"
        ? { received: all, delivered: all - 1, dropped: 1 }
        : { received: all, delivered: all, dropped: 0 }
    )
  })
  await checkProperty("X19 HTTP proxy", property)
})

// Seen to fail when a last chunk follows what was cut.
test("X6. an answer is severed within the event that a rule names, and nothing comes behind", async () => {
  const property = fc.asyncProperty(
    eventScenes,
    fc.option(fc.nat(40)),
    plans,
    async ({ scene, event, before, text }, afterBytes, planFor) => {
      const action = afterBytes === null ? "sever" : ({ type: "sever", afterBytes } as const)
      const play = await playHttp(scene, planFor(event.index, action))

      const prefix = Math.min(afterBytes ?? Math.max(1, Math.floor(text.length / 2)), text.length - 1)
      const came = bodyThatCame(play.responses[event.exchange] ?? "")
      expect(came).toEqual({ body: before + text.slice(0, prefix), isWhole: false })
      expect(play.responses.slice(event.exchange + 1).join("")).toBe("")
      expect(play.isOver).toEqual({ client: true, upstream: true })
      expect(play.report).toMatchObject({ state: "severed", leaderToClient: { severed: 1 } })
    }
  )
  await checkProperty("X6 HTTP proxy", property)
})

// Seen to fail when barriers are not asked.
test("X19. an event that is held keeps what is behind it, and nothing before it, until it is released", async () => {
  const property = fc.asyncProperty(eventScenes, plans, async ({ scene, event, before }, planFor) => {
    const seen: Array<string> = []
    const release: BehindAnswer = (proxy, exchange, came) => {
      if (exchange !== event.exchange) return false
      seen.push(bodyThatCame(came()).body)
      expect(proxy.held()).toMatchObject([{ index: event.index, barriers: ["go"] }])
      expect(proxy.release("go")).toBe(1)
      return true
    }
    const play = await playHttp(scene, planFor(event.index, { type: "hold", barrier: "go" }), release)

    expect(seen).toEqual([before])
    await expectRequests(play, scene)
    for (const [place, { method, response }] of scene.written.entries())
      expect(await parsedResponse(latin1Bytes(play.responses[place] ?? ""), method)).toEqual(told(response))
  })
  await checkProperty("X19 HTTP held", property)
})
