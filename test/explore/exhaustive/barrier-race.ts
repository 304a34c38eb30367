import { assign } from "xstate"
import { expectationMachine } from "../../../machines/expectation.machine.ts"
import { InferenceRequestMatcher } from "../../../src/index.ts"
import { barrierHolds } from "../../../src/oracles/barrier.ts"
import type { Supervisor } from "../../../src/supervisor/supervisor.ts"
import { stream } from "../../support/scripts.ts"
import { type Proof, type ProofOptions, prove } from "./prove.ts"
import type { Race } from "./race.ts"
import { requestWith } from "./same-request.ts"
import type { Plant } from "./step-world.ts"

/**
 * Clients that send the same request are held before the last event; the test releases them at any time. Who comes when all
 * others have been served gets an echo.
 */
export const barrierRace = ({
  clients = 3,
  leavers = 1,
  events = ["first", "last"]
}: Partial<Pick<Race, "clients" | "leavers">> & { readonly events?: ReadonlyArray<string> } = {}): Race => ({
  clients,
  leavers,
  oracle: barrierHolds(),
  request: () => requestWith({ id: "one call", text: "hello" }),
  script({ controls }) {
    const matcher = InferenceRequestMatcher.foreground("ChatCompletions")
    const handle = controls.expectResponseBlocked("held", matcher, stream(...events))
    return () => handle.release()
  },
  // An echo is for who comes when the call was abandoned.
  judgeEnd: ({ received }, { hasActed }) => (hasActed || isEcho(received) ? null : "a client passed a closed barrier"),
  judge({ lines }) {
    const whole = events.map((event) => `data: ${event}\n\n`).join("")
    const ends = lines.filter(({ hasEnd }) => hasEnd).map(({ received }) => received)
    return ends.every((bytes) => bytes === whole || isEcho(bytes)) ? null : "a copy was cut"
  }
})

const isEcho = (text: string): boolean => text.includes("Echo: hello")

/** A barrier that holds three copies, of which one may leave. */
export const proveBarrier = (options: ProofOptions = {}): Proof => prove(barrierRace(), options)

/** The second copy of a call opens its barriers. */
export const openDoor: Plant = {
  chart: expectationMachine.provide({
    actions: {
      joinCall: assign(({ context }) => ({ active: context.active + 1, claims: context.claims + 1, closed: [] }))
    }
  })
}

/** Of those who wait together one alone is woken. */
export const lostWakeUp: Plant = {
  supervisor(supervisor: Supervisor) {
    let woken = 0
    return {
      ...supervisor,
      deliver(actor, event) {
        const isWake = Object(event).type === "barrier.opened"
        if (!isWake || woken++ === 0) supervisor.deliver(actor, event)
      }
    }
  }
}
