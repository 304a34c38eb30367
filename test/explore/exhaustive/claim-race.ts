import { InferenceRequestMatcher, ScriptedResponse } from "../../../src/index.ts"
import { oneClaim } from "../../../src/oracles/one-claim.ts"
import { type Proof, type ProofOptions, prove } from "./prove.ts"
import type { Race } from "./race.ts"
import { requestWith } from "./same-request.ts"
import type { Plant } from "./step-world.ts"

const words = "the only answer"

/** Clients that ask different things race for one answer; one of them may leave, and may then ask again. */
export const claimRace = ({
  clients = 3,
  leavers = 1,
  retries = false
}: Partial<Pick<Race, "clients" | "leavers" | "retries">> = {}): Race => ({
  clients,
  leavers,
  oracle: oneClaim(),
  retries,
  request: (client) => requestWith({ id: `call of ${client}`, text: client }),
  script({ controls }) {
    const matcher = InferenceRequestMatcher.foreground("ChatCompletions")
    controls.expectResponse("the only one", matcher, ScriptedResponse.text(200, words))
    return null
  },
  judge({ lines, server }) {
    const winners = lines.filter(({ received }) => received === words)
    if (winners.length > 1) return "two clients have the only answer"
    const losers = lines.filter((line) => line.hasEnd && !winners.includes(line))
    if (losers.some(({ status, client, received }) => status !== 200 || !received.includes(`Echo: ${client}`)))
      return "a loser has no definite answer"
    return server.core.book.pending().length === 0 || losers.length === 0 ? null : "a client lost to nobody"
  }
})

/** One claim with three clients, of which one may leave. */
export const proveClaim = (options: ProofOptions = {}): Proof => prove(claimRace(), options)

/** A claim is not atomic: what was decided on is taken a step later. */
export const lateClaim: Plant = {
  core(core) {
    const { claim } = core.book
    core.book.claim = (expectation, print, known) =>
      core.supervisor.postpone(`claim ${print}`, () => claim(expectation, print, known))
    return core
  }
}

/** Losers get a stream that never ends. */
export const silentLoss: Plant = {
  core: (core) => ({
    ...core,
    route(head) {
      const route = core.route(head)
      return {
        ...route,
        decide(body) {
          const isLoser = core.book.pending().length === 0
          const answer = route.decide(body)
          return isLoser ? { ...answer, plan: { ...answer.plan, ending: "stall" } } : answer
        }
      }
    }
  })
}
