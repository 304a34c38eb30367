import { checkScript } from "../domain/check-script.ts"
import type { RequestKind } from "../domain/classification.ts"
import type { InferenceEndpoint } from "../domain/endpoint.ts"
import { CallSettled, InvalidOption } from "../domain/errors.ts"
import { endingPlan, heldPlan } from "../domain/held-plan.ts"
import type { Ending, Plan } from "../domain/plan.ts"
import type { Header } from "../domain/request.ts"
import { ScriptedResponse } from "../domain/scripted-response.ts"
import type { SseEvent } from "../domain/sse-event.ts"
import type { Copy } from "../serving/copy.ts"
import { encodeEvent } from "../wire/sse-frame.ts"
import { apiError } from "./refusals.ts"

/**
 * One request in the hand of the test: nothing is answered until the test says so, once. What is said after the end, or
 * after the client has left, throws `CallSettled`.
 *
 * @since 0.1.0
 * @category calls
 */
export interface HeldCall {
  /** Running number of the request on its server, from 1. */
  readonly number: number
  readonly endpoint: InferenceEndpoint
  readonly kind: RequestKind
  readonly session: string
  /** The number of user messages in the body. */
  readonly turn: number
  readonly headers: ReadonlyArray<Header>
  readonly body: unknown
  /** The client has left, or the server was closed, before the answer was complete. */
  readonly isGone: boolean
  /** Answers with a scripted response. */
  reply(response: ScriptedResponse): void
  /** Answers with a text, in the form of the API: a stream or one JSON reply, as the request asks. */
  replyText(text: string): void
  /** Sends the head of a stream; its events are written one by one. */
  stream(options?: { readonly status?: number; readonly headers?: ReadonlyArray<[string, string]> }): HeldStream
  /** Answers with an error in the shape of the API. */
  fail(status: number, message?: string): void
  /** Ends the connection without an answer. */
  hangUp(ending?: Exclude<Ending, "end">): void
  /** Lets the server decide, as if nobody had held the call. */
  proceed(): void
}

/** A stream that a test writes event by event. */
export interface HeldStream {
  write(event: SseEvent | string): void
  /** Ends it cleanly, or in another way. */
  end(ending?: Ending): void
}

/** What a held call works with. */
export interface HeldParts {
  readonly about: Pick<HeldCall, "number" | "endpoint" | "kind" | "session" | "turn" | "headers" | "body">
  readonly copy: Copy
  /** The plan of a scripted response, with the pacing of the server. */
  readonly planOf: (response: ScriptedResponse) => Plan
  readonly textOf: (text: string) => ScriptedResponse
  /** Decides again without holding. */
  readonly decide: () => Plan
}

/** @since 0.1.0 @category constructors */
export const makeHeldCall = ({ about, copy, planOf, textOf, decide }: HeldParts): HeldCall => {
  let answeredBy: string | null = null
  const isGone = (): boolean => copy.snapshot.status === "done" && copy.snapshot.state !== "ended"
  const what = `call ${about.number} (${about.kind} ${about.endpoint})`

  const checkOpen = (wish: string): void => {
    if (answeredBy !== null) throw new CallSettled(`${what} was answered by ${answeredBy}; ${wish} comes too late`)
    if (isGone())
      throw new CallSettled(`the client of ${what} has left, or the server was closed; ${wish} reaches nobody`)
  }
  const say = (plan: Plan): void => copy.data.supervisor.deliver(copy, { type: "plan.extended", plan })
  const answer = (wish: string, plan: () => Plan): void => {
    checkOpen(wish)
    const ready = plan()
    answeredBy = wish
    say(ready)
  }
  const script = (wish: string, response: () => ScriptedResponse): void =>
    answer(wish, () => planOf(checkScript(response())))

  return {
    ...about,
    get isGone() {
      return isGone()
    },
    reply: (response) => script("reply", () => response),
    replyText: (text) => script("replyText", () => textOf(text)),
    fail: (status, message = `the test failed this call with ${status}`) =>
      script("fail", () => apiError(about.endpoint, checkFailure(status), message)),
    hangUp: (ending = "fin") => script("hangUp", () => ScriptedResponse.hangUp(ending)),
    proceed() {
      checkOpen("proceed")
      answeredBy = "proceed"
      // Deciding and starting the answer are one step, as for any other request.
      copy.data.supervisor.run(() => say(decide()))
    },
    stream({ status = 200, headers = [] } = {}) {
      const opening: ScriptedResponse = { ...ScriptedResponse.sse([]), status, headers: [...headers] }
      answer("stream", () => heldPlan(planOf(checkScript(opening)).steps, true))
      return heldStream(what, { isGone, say })
    }
  }
}

const checkFailure = (status: number): number => {
  if (Number.isInteger(status) && status >= 400 && status <= 599) return status
  throw new InvalidOption(`fail(${status}): use a status from 400 to 599, or reply() for others`)
}

const heldStream = (
  what: string,
  { isGone, say }: { readonly isGone: () => boolean; readonly say: (plan: Plan) => void }
): HeldStream => {
  let isEnded = false
  const checkOpen = (wish: string): void => {
    if (isEnded) throw new CallSettled(`the stream of ${what} has ended; ${wish} comes too late`)
    if (isGone())
      throw new CallSettled(`the client of ${what} has left, or the server was closed; ${wish} reaches nobody`)
  }
  return {
    write(event) {
      checkOpen("write")
      const events = [typeof event === "string" ? { event: null, data: event } : event]
      const { body } = checkScript(ScriptedResponse.sse(events))
      const bytes = body.kind === "sse" ? body.events.map((checked) => encodeEvent(checked)).join("") : ""
      say(heldPlan([{ kind: "write", bytes, events: bytes.startsWith(":") ? 0 : 1 }], true))
    },
    end(ending = "end") {
      checkOpen("end")
      isEnded = true
      say(endingPlan(ending))
    }
  }
}
