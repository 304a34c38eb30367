import { checkScript } from "../domain/check-script.ts"
import { CallSettled, InvalidScript } from "../domain/errors.ts"
import { endingPlan, heldPlan } from "../domain/held-plan.ts"
import type { Plan } from "../domain/plan.ts"
import { ScriptedResponse } from "../domain/scripted-response.ts"
import type { SseEvent } from "../domain/sse-event.ts"
import { hasNoBody } from "../domain/status.ts"
import type { Trace } from "../kernel/trace.ts"
import { unsent } from "../serving/copy.ts"
import { encodeEvent } from "../wire/sse-frame.ts"
import { checkedEvent } from "./check-held-answer.ts"
import type { HeldStream } from "./held-call.ts"
import { checkThere, type HeldState, isGone } from "./held-call-state.ts"
import { outstandingWait } from "./outstanding-wait.ts"

/** So much may wait for a reader that is behind, counted by the length of the texts: 64 MiB. */
const waitingMax = 64 * 1024 * 1024

/** The stream that a test has begun. @since 0.1.0 @category constructors */
export const heldStream = (
  state: HeldState,
  { trace, status }: { readonly trace: Pick<Trace, "watch">; readonly status: number }
): HeldStream => {
  const { copy, what } = state
  const { supervisor } = copy.data
  /** Said from within a step of the server: it reaches the copy behind that step. */
  let onTheWay = { plans: 0, bytes: 0 }
  state.isStreamOpen = true

  const checkOpen = (wish: string): void => {
    if (!state.isStreamOpen) throw new CallSettled(`the stream of ${what} has ended; ${wish} comes too late`)
    checkThere(state, wish)
  }
  const checkRoom = (bytes: number): void => {
    const waiting = unsent(copy).bytes + onTheWay.bytes
    if (waiting === 0 || waiting + bytes <= waitingMax) return
    throw new InvalidScript(
      `${waiting} bytes of the stream of ${what} wait for a client that does not read, and ${waitingMax} may; ` +
        "await drained() before you write more"
    )
  }
  const say = (plan: Plan, bytes: number): void => {
    onTheWay = { plans: onTheWay.plans + 1, bytes: onTheWay.bytes + bytes }
    supervisor.run(() => {
      onTheWay = { plans: onTheWay.plans - 1, bytes: onTheWay.bytes - bytes }
      supervisor.apply(copy, { type: "plan.extended", plan })
    })
  }
  const hasLeft = (): boolean => onTheWay.plans === 0 && unsent(copy).steps === 0

  return {
    write(event) {
      checkOpen("write")
      if (hasNoBody(status)) throw new InvalidScript(`an answer with status ${status} has no body to write`)
      const frame = frameOf(event)
      checkRoom(frame.length)
      say(heldPlan([{ kind: "write", bytes: frame, events: frame.startsWith(":") ? 0 : 1 }], true), frame.length)
    },
    drained: () =>
      outstandingWait((resolve, reject) => {
        const look = (): boolean => {
          if (hasLeft()) resolve()
          else if (isGone(copy)) reject(new CallSettled(`${what} ended before all that was written had left`))
          else return false
          return true
        }
        if (look()) return
        const stop = trace.watch((seen) => {
          if (seen.type === "step" && seen.actor === copy.id && look()) stop()
        })
      }),
    end(ending = "end") {
      checkOpen("end")
      checkScript({ ...ScriptedResponse.sse([]), ending })
      state.isStreamOpen = false
      say(endingPlan(ending), 0)
    }
  }
}

const frameOf = (event: SseEvent | string): string => {
  const { body } = checkScript(ScriptedResponse.sse([checkedEvent(event)]))
  return body.kind === "sse" ? body.events.map((checked) => encodeEvent(checked)).join("") : ""
}
