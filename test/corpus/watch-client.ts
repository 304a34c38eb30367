import type { Oracle } from "../../src/oracles/monitor.ts"
import type { RunFact } from "../../src/oracles/run-event.ts"
import { checkViolations } from "../../src/oracles/violation.ts"
import { watchRun } from "../../src/oracles/watch-run.ts"
import type { Sim } from "../../src/sim.ts"

/** Calls of clients, judged while they happen. */
export interface WatchedCalls {
  /** The client of this name, which makes one call at a time. */
  client(name: string): WatchedClient
  /** Fails with what the oracles found. */
  check(): void
}

/** A client whose requests and calls are seen. */
export interface WatchedClient {
  readonly name: string
  readonly fetch: typeof fetch
  /** Makes a call; that it fails is no failure of the test. */
  call(body: (told: CallFacts) => Promise<void>): Promise<void>
}

/** What only the program that makes a call knows of it. */
export interface CallFacts {
  aborted(): void
  event(text: string, isTerminal: boolean): void
}

/** Tells oracles what clients do, from outside of them. */
export const watchCalls = (sim: Sim, oracles: ReadonlyArray<Oracle>): WatchedCalls => {
  const watch = watchRun(oracles)
  return {
    client: (name) => {
      const see = (fact: RunFact): void => watch.see({ ...fact, actor: name, at: sim.now() })
      return watchedClient(sim, name, see)
    },
    check() {
      watch.passTo(sim.now())
      watch.see({ type: "run.ended", actor: "test", at: sim.now() })
      checkViolations(watch.violations())
    }
  }
}

const watchedClient = (sim: Sim, name: string, see: (fact: RunFact) => void): WatchedClient => {
  const real = sim.fetch(name)
  let calls = 0
  let call = ""
  let attempt = 0
  return {
    name,
    async fetch(input, init) {
      attempt++
      const facts = { call, attempt }
      see({ type: "attempt.sent", ...facts })
      const response = await real(input, init)
      const isStream = (response.headers.get("content-type") ?? "").startsWith("text/event-stream")
      const { status, headers } = response
      see({ type: "attempt.answered", ...facts, status, isStream, retryAfterMs: retryAfterMs(headers) })
      return response
    },
    async call(body) {
      call = `call ${++calls}`
      attempt = 0
      const own = call
      see({ type: "call.started", call: own })
      const told: CallFacts = {
        aborted: () => see({ type: "call.aborted", call: own }),
        event: (text, isTerminal) => see({ type: "stream.event", call: own, attempt, position: null, text, isTerminal })
      }
      const as = await body(told).then(
        () => "completed" as const,
        () => "failed" as const
      )
      see({ type: "call.settled", call: own, as })
    }
  }
}

const retryAfterMs = (headers: Headers): number | null => {
  const exact = headers.get("retry-after-ms")
  if (exact !== null) return Number(exact)
  const seconds = Number(headers.get("retry-after") ?? Number.NaN)
  return Number.isNaN(seconds) ? null : seconds * 1_000
}
