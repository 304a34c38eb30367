import { expectationMachine } from "../../../machines/expectation.machine.ts"
import { InferenceRequestMatcher } from "../../../src/index.ts"
import { replayFidelity } from "../../../src/oracles/replay.ts"
import { stream } from "../../support/scripts.ts"
import { type Proof, type ProofOptions, prove } from "./prove.ts"
import type { Race } from "./race.ts"
import { requestWith } from "./same-request.ts"
import type { Plant } from "./step-world.ts"

const answers = [
  ["first", "of two"],
  ["second", "of two"]
]
const known = answers.map((events) => events.map((event) => `data: ${event}\n\n`).join(""))
const isEcho = (text: string): boolean => text.includes("Echo: hello")

/**
 * Clients send the same request; whoever comes while the call is live gets a copy of it, and whoever comes later takes the next
 * answer. The barrier is open from the beginning; it cuts the answer in two pieces.
 */
export const replayRace = ({ clients = 3, leavers = 1 }: Partial<Pick<Race, "clients" | "leavers">> = {}): Race => ({
  clients,
  leavers,
  oracle: replayFidelity(),
  request: () => requestWith({ id: "one call", text: "hello" }),
  script({ controls }) {
    const matcher = InferenceRequestMatcher.foreground("ChatCompletions")
    for (const events of answers) {
      controls
        .expectResponse(events.join(" "), matcher, stream(...events), { barriers: [{ at: { afterEvent: 1 } }] })
        .release()
    }
    return null
  },
  judge({ lines, server }) {
    const strange = lines.filter(({ hasEnd, received }) => hasEnd && !known.includes(received) && !isEcho(received))
    if (strange.length > 0) return "a copy differs from its answer"
    const calls = server.core.log.entries().filter(({ answer }) => answer.source === "expectation").length
    return calls + server.core.book.pending().length === answers.length ? null : "an answer was consumed unclaimed"
  }
})

/** Replays of three overlapping copies, of which one may leave. */
export const proveReplay = (options: ProofOptions = {}): Proof => prove(replayRace(), options)

/** The call is over when its primary has crossed, whoever else still reads: the next copy consumes once more. */
export const shortCall: Plant = {
  chart: expectationMachine.provide({
    guards: { isIdle: ({ context }) => context.active === 0 || context.primaryCrossed }
  })
}

/** Whoever joins misses the first piece. */
export const lateJoin: Plant = {
  core: (core) => ({
    ...core,
    route(head) {
      const route = core.route(head)
      return {
        ...route,
        decide(body) {
          const isJoin = core.book.unsettled().some(({ snapshot }) => snapshot.state.startsWith("active"))
          const answer = route.decide(body)
          const { steps, crossesAt } = answer.plan
          if (!isJoin) return answer
          const at = steps.findIndex(({ kind }) => kind === "write")
          return { ...answer, plan: { ...answer.plan, steps: steps.toSpliced(at, 1), crossesAt: crossesAt - 1 } }
        }
      }
    }
  })
}
