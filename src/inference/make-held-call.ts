import { checkScript } from "../domain/check-script.ts"
import { CallSettled } from "../domain/errors.ts"
import { heldPlan } from "../domain/held-plan.ts"
import type { Plan } from "../domain/plan.ts"
import { ScriptedResponse } from "../domain/scripted-response.ts"
import { hasNoBody } from "../domain/status.ts"
import type { Trace } from "../kernel/trace.ts"
import type { Copy } from "../serving/copy.ts"
import { checkedFailure, checkedHead, checkedReply, checkedText } from "./check-held-answer.ts"
import type { HeldCall } from "./held-call.ts"
import { checkThere, type HeldState, isGone } from "./held-call-state.ts"
import { heldStream } from "./held-stream.ts"
import { apiError } from "./refusals.ts"

/** What a held call works with. */
export interface HeldParts {
  readonly about: Pick<HeldCall, "number" | "endpoint" | "kind" | "session" | "turn" | "attempt" | "headers" | "body">
  readonly copy: Copy
  /** The plan of a scripted response, with the pacing of the server. */
  readonly planOf: (response: ScriptedResponse) => Plan
  readonly textOf: (text: string) => ScriptedResponse
  /** Decides again without holding. */
  readonly decide: () => Plan
}

/** @since 0.1.0 @category constructors */
export const makeHeldCall = (
  { about, copy, planOf, textOf, decide }: HeldParts,
  { state, trace }: { readonly state: HeldState; readonly trace: Pick<Trace, "watch"> }
): HeldCall => {
  const { supervisor } = copy.data
  const checkOpen = (wish: string): void => {
    if (state.answeredBy !== null)
      throw new CallSettled(`${state.what} was answered by ${state.answeredBy}; ${wish} comes too late`)
    checkThere(state, wish)
  }
  const answer = (wish: string, plan: () => Plan): void => {
    checkOpen(wish)
    const ready = plan()
    state.answeredBy = wish
    supervisor.deliver(copy, { type: "plan.extended", plan: ready })
  }
  const script = (wish: string, response: () => ScriptedResponse): void =>
    answer(wish, () => planOf(checkScript(response())))

  return {
    ...about,
    get isGone() {
      return isGone(copy)
    },
    reply: (response) => script("reply", () => checkedReply(response)),
    replyText: (text) => script("replyText", () => textOf(checkedText("replyText(text)", text))),
    fail: (status, message = `the test failed this call with ${String(status)}`) =>
      script("fail", () =>
        apiError(about.endpoint, checkedFailure(status), checkedText("fail(status, message)", message))
      ),
    hangUp: (ending = "fin") => script("hangUp", () => ScriptedResponse.hangUp(ending)),
    proceed() {
      checkOpen("proceed")
      // Before it is decided, for what the decision tells others of must not answer the call a second time.
      state.answeredBy = "proceed"
      // Deciding and starting the answer are one step, as for any other request.
      supervisor.run(() => {
        if (isGone(copy)) return
        try {
          supervisor.deliver(copy, { type: "plan.extended", plan: decide() })
        } catch (error) {
          state.answeredBy = null
          throw error
        }
      })
    },
    stream(options = {}) {
      const { status = 200, headers = [] } = checkedHead(options)
      const opening: ScriptedResponse = {
        ...ScriptedResponse.sse([]),
        status,
        headers: headers.map(([...pair]) => pair)
      }
      const canHoldBody = !hasNoBody(status)
      answer("stream", () => heldPlan(planOf(checkScript(opening)).steps, canHoldBody))
      return heldStream(state, { trace, status })
    }
  }
}
