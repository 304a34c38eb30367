import { ScriptedResponse } from "../../domain/scripted-response.ts"
import type { FuzzFault } from "./fuzz-workload.ts"

/** A failing answer of the model. */
export interface FailingAnswer {
  readonly response: ScriptedResponse
  /** What the model does to it, as a person reads it in a run. */
  readonly told: string
}

/** Gives a number below the one that it is given. */
type Draw = (n: number) => number

/**
 * The answer to a request as a fault has it; what is open about it is drawn.
 *
 * **Takes** `number`: of the request
 *
 * @since 0.1.0
 * @category fuzzing
 */
export const failingAnswer = (
  fault: FuzzFault,
  { answer, number, draw }: { readonly answer: ScriptedResponse; readonly number: number; readonly draw: Draw }
): FailingAnswer => {
  const { response, told } = failing[fault](answer, draw)
  return { response, told: `${fault}: ${told.replace("answer", `answer ${number}`)}` }
}

/** For so long a slow model is silent; longer than the patience of most clients. */
const slowMs: ReadonlyArray<number> = [20, 3_000, 30_000]

/** What a limited client has to wait, in seconds. */
const retryAfterSeconds = 2

/** A line of a diagram has room for 48 characters of `told`. */
const failing: Readonly<Record<FuzzFault, (answer: ScriptedResponse, draw: Draw) => FailingAnswer>> = {
  serverError: () => ({ response: ScriptedResponse.fault("server_error"), told: "answer is an error of the server" }),
  rateLimit: () => ({
    response: {
      ...ScriptedResponse.fault("rate_limit"),
      headers: [["retry-after", String(retryAfterSeconds)]]
    },
    told: `answer asks to wait for ${retryAfterSeconds} s`
  }),
  overloaded: () => ({ response: ScriptedResponse.fault("service_unavailable"), told: "answer is to come again" }),
  reset: () => ({ response: ScriptedResponse.hangUp("rst"), told: "a reset for answer" }),
  cut(answer, draw) {
    const ending = draw(2) === 0 ? "fin" : "rst"
    return broken(answer, draw, { ending, ends: `answer ends by ${ending}` })
  },
  earlyEnd(answer, draw) {
    const { body } = answer
    // A reply that is no stream cannot end early and look well.
    if (body.kind !== "sse") return broken(answer, draw, { ending: "fin", ends: "answer ends" })
    const kept = draw(body.events.length)
    return {
      response: { ...answer, body: { ...body, events: body.events.slice(0, kept) } },
      told: `answer ends after ${kept} of ${body.events.length} events`
    }
  },
  stall: (answer, draw) => broken(answer, draw, { ending: "stall", ends: "answer stops" }),
  slow(answer, draw) {
    const delayMs = slowMs[draw(slowMs.length)] ?? 0
    return { response: { ...answer, pacing: { delayMs } }, told: `answer waits ${delayMs} ms` }
  }
}

/** The beginning of an answer. */
const broken = (
  answer: ScriptedResponse,
  draw: Draw,
  { ending, ends }: { readonly ending: "fin" | "rst" | "stall"; readonly ends: string }
): FailingAnswer => {
  const { body } = answer
  if (body.kind === "sse") {
    const afterEvent = draw(body.events.length)
    const told = `${ends} after ${afterEvent} of ${body.events.length} events`
    return { response: ScriptedResponse.cut(answer, { afterEvent, ending }), told }
  }
  const afterBytes = draw(bytesMax)
  return { response: ScriptedResponse.cut(answer, { afterBytes, ending }), told: `${ends} after ${afterBytes} bytes` }
}

/** Every reply is longer. */
const bytesMax = 32
