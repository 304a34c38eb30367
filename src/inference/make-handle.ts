import { clip } from "../domain/clip.ts"
import { ExpectationFailed, InvalidOption } from "../domain/errors.ts"
import { endpointsOf } from "../domain/matcher.ts"
import type { Phase } from "../domain/phase.ts"
import { checkCount } from "./check-options.ts"
import type { Expectation } from "./expectation.ts"
import type { ExpectationHandle } from "./expectation-handle.ts"
import { outstandingWait } from "./outstanding-wait.ts"

/** Whether a wait is over: with success, with an error, or not yet. */
type Verdict = "reached" | "waiting" | ExpectationFailed

/** Tells waits that the server has closed. */
export interface ServerEnd {
  readonly isClosed: () => boolean
  readonly onClosed: (tell: () => void) => () => void
}

/** @since 0.1.0 @category constructors */
export const makeHandle = (expectation: Expectation, end: ServerEnd): ExpectationHandle => {
  const { name, progress, barriers, book } = expectation.data
  const diagnostic = (): string => `inference expectation \`${name}\` (state: ${progress.phase})`
  const fail = (why: string): ExpectationFailed =>
    new ExpectationFailed(`inference expectation \`${name}\` ${why} (state: ${progress.phase})`, {
      expectation: name,
      phase: progress.phase
    })

  const waitFor = (judge: () => Verdict, wanted: string, check = (): void => {}): Promise<void> =>
    outstandingWait((resolve, reject) => {
      check()
      const stopClosed = end.onClosed(() => look())
      const look = (): void => {
        const verdict = judge()
        const open = verdict === "waiting" && !end.isClosed()
        if (open) return
        progress.watchers.delete(look)
        stopClosed()
        if (verdict === "reached") resolve(undefined)
        else reject(verdict === "waiting" ? fail(`can no longer ${wanted}: the server is closed`) : verdict)
      }
      progress.watchers.add(look)
      look()
    })

  const knownBarrier = (barrier: string | undefined): void => {
    if (barrier === undefined || barriers.some((placed) => placed.name === barrier)) return
    const known = barriers.map((placed) => `\`${placed.name}\``).join(", ") || "none"
    throw new InvalidOption(`expectation \`${name}\` has no barrier \`${barrier}\`; it has ${known}`)
  }

  const release = (barrier?: string): void => {
    knownBarrier(barrier)
    if (expectation.snapshot.status === "active") {
      book.trace.record({ type: "barrier.released", expectation: name, barrier: barrier ?? null })
      book.supervisor.deliver(expectation, { type: "release", barrier: barrier ?? null })
    }
  }

  return {
    name,
    get phase() {
      return progress.phase
    },
    get claims() {
      return progress.claims
    },
    waitReceived: () =>
      waitFor(() => {
        if (progress.phase === "Retired") return fail("was retired before a request claimed it")
        return progress.phase === "Pending" ? "waiting" : "reached"
      }, "be received"),
    waitBlocked: (barrier) =>
      waitFor(
        () => {
          const wasReached = barrier === undefined ? progress.wasBlocked : progress.reached.has(barrier)
          if (wasReached || progress.phase === "Satisfied") return "reached"
          return failedEnd(progress.phase, fail, "reached its barrier") ?? "waiting"
        },
        "be blocked",
        () => knownBarrier(barrier)
      ),
    waitSatisfied: () =>
      waitFor(() => {
        if (progress.phase === "Satisfied") return "reached"
        return failedEnd(progress.phase, fail, "was satisfied") ?? "waiting"
      }, "be satisfied"),
    waitDelivered: () =>
      waitFor(() => {
        if (progress.isDelivered === true) return "reached"
        const ended = failedEnd(progress.phase, fail, "was delivered")
        if (ended !== undefined) return ended
        return progress.isDelivered === null ? "waiting" : fail("was permitted, and its client left before it had all")
      }, "be delivered"),
    waitClaims: (count) =>
      waitFor(
        () => {
          if (progress.claims >= count) return "reached"
          const isOver =
            progress.phase === "Satisfied" || progress.phase === "Abandoned" || progress.phase === "Retired"
          return isOver ? fail(`settled with ${progress.claims} of ${count} claims`) : "waiting"
        },
        `have ${count} claims`,
        () => checkCount(count)
      ),
    release,
    retire: () => book.withdraw(expectation),
    isSatisfied: () => progress.phase === "Satisfied",
    assertSatisfied() {
      if (progress.phase === "Satisfied") return
      const error = fail("was not satisfied")
      if (progress.phase === "Pending") error.message += hint(expectation)
      throw error
    },
    diagnostic,
    [Symbol.dispose]: () => release(),
    async [Symbol.asyncDispose]() {
      release()
    }
  }
}

/** What an expectation is for is cut at so many characters. */
const wantedLengthMax = 600

/** The error of a wait that a final phase has ended. */
const failedEnd = (
  phase: Phase,
  fail: (why: string) => ExpectationFailed,
  wanted: string
): ExpectationFailed | undefined => {
  if (phase === "Abandoned") return fail(`was abandoned before it ${wanted}: its client or the server ended it early`)
  return phase === "Retired" ? fail(`was retired before it ${wanted}`) : undefined
}

/** What an unclaimed expectation waits for, and what came instead. */
const hint = (expectation: Expectation): string => {
  const { matcher, book, chain } = expectation.data
  const wanted = `it is for ${matcher.kind} requests on ${endpointsOf(matcher).join(" or ")}`
  const attempt = chain === null ? "" : `, attempt ${chain.attempt} of a call`
  const conditions = (matcher.conditions ?? []).map((condition) => `, where ${condition.description}`).join("")
  const passed = book.passedBy(expectation)
  const came = passed.length === 0 ? "no request was passed by" : `passed by:\n  ${passed.join("\n  ")}`
  return `\n${clip(`${wanted}${attempt}${conditions}`, wantedLengthMax)}; ${came}`
}
