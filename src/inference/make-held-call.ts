import { checkScript } from "../domain/check-script.ts"
import { CallSettled, InvalidOption } from "../domain/errors.ts"
import { endingPlan, heldPlan } from "../domain/held-plan.ts"
import type { Plan } from "../domain/plan.ts"
import { ScriptedResponse } from "../domain/scripted-response.ts"
import type { Copy } from "../serving/copy.ts"
import { encodeEvent } from "../wire/sse-frame.ts"
import type { HeldCall, HeldStream } from "./held-call.ts"
import { apiError } from "./refusals.ts"

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
