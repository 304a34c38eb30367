import { CallSettled, WaitEnded } from "../../domain/errors.ts"
import type { HeldCall } from "../../inference/held-call.ts"
import type { MockInferenceServer } from "../../inference/server-api.ts"
import type { SimWorld } from "../sim-world.ts"
import { fuzzAnswer, type Said, toolOffered } from "./fuzz-answer.ts"
import { type FailingAnswer, failingAnswer } from "./fuzz-faults.ts"
import { answerOf, type Turn, toolCallId, toolsDone, turnIn } from "./fuzz-words.ts"
import { type FuzzFault, type FuzzWorkload, fuzzFaults } from "./fuzz-workload.ts"

/** A model that answers the turns of a workload, and fails now and then. */
export interface FuzzModel {
  /** Whether a request of this turn was failed. */
  hasFailed(turn: Turn): boolean
  /** Whether it has asked for this tool call, in an answer that may have been cut. */
  hasAsked(id: string): boolean
  /** A turn is over, whichever way: nobody waits for an answer to it. */
  ended(turn: Turn): void
}

const faultsMaxDefault = 4

/**
 * Lets a server play the model: what it says follows from the request alone, so that a retry gets the same answer.
 *
 * **Takes** `toolsOf`: how many tool calls a turn has before its answer
 *
 * @since 0.1.0
 * @category fuzzing
 */
export const startFuzzModel = (
  sim: SimWorld,
  server: MockInferenceServer,
  options: FuzzWorkload & { readonly toolsOf: (turn: Turn) => number }
): FuzzModel => {
  const { faults = fuzzFaults, faultsMax = faultsMaxDefault, toolsOf } = options
  const failed = new Set<string>()
  const asked = new Set<string>()
  let left = faults.length === 0 ? 0 : faultsMax
  /** Clients with a faulty answer that is not over. */
  const faulty = new Set<string>()

  /** A faulty answer is over when its client asks again or its turn ends; what the server has sent may have got lost. */
  const over = (client: string): void => {
    if (faulty.delete(client) && left === 0 && faulty.size === 0) sim.tell({ type: "faults.stopped" })
  }

  /** Half of the requests are answered well. */
  const drawFault = (client: string): FuzzFault | null => {
    if (left === 0) return null
    return faults[sim.choice.draw(1 + faults.length, `model/${client}`, faults.length) - 1] ?? null
  }

  const fail = (call: HeldCall, turn: Turn, { response, told }: FailingAnswer): void => {
    failed.add(keyOf(turn))
    left--
    faulty.add(turn.client)
    try {
      call.reply(response)
    } catch (error) {
      over(turn.client)
      throw error
    }
    sim.tell({ type: "told", what: told }, turn.client)
  }

  const take = (call: HeldCall): void => {
    const text = JSON.stringify(call.body)
    const turn = turnIn(text)
    // Whoever asks something else, for a title perhaps, is answered well.
    if (turn === null) {
      call.replyText("Fine")
      return
    }
    const tool = toolOffered(call.body)
    const done = toolsDone(text, turn)
    const said: Said =
      tool !== null && done < toolsOf(turn)
        ? { callId: toolCallId(turn, done + 1), name: tool, arguments: "{}" }
        : { text: answerOf(turn) }
    if ("callId" in said) asked.add(said.callId)
    const answer = fuzzAnswer(call.endpoint, call.body, said)
    over(turn.client)
    const fault = drawFault(turn.client)
    if (fault === null) call.reply(answer)
    else {
      const draw = (n: number): number => sim.choice.draw(n, `model/${turn.client}/how`)
      fail(call, turn, failingAnswer(fault, { answer, number: call.number, draw }))
    }
  }

  const serve = async (): Promise<void> => {
    for (;;) {
      const call = await server.next()
      try {
        take(call)
      } catch (error) {
        // Its client has left in this very moment.
        if (!(error instanceof CallSettled)) throw error
      }
    }
  }
  serve().catch((error: unknown) => {
    // The server was closed, as it is at the end of every run. Anything else is a failure of the run.
    if (!(error instanceof WaitEnded)) throw error
  })
  return {
    hasFailed: (turn) => failed.has(keyOf(turn)),
    hasAsked: (id) => asked.has(id),
    ended: ({ client }) => over(client)
  }
}

const keyOf = ({ client, number }: Turn): string => `${client}#${number}`
