import { ExpectationFailed } from "../domain/errors.ts"
import type { Phase } from "../domain/phase.ts"
import { checkCount } from "./check-options.ts"
import type { ExpectationHandle } from "./expectation-handle.ts"
import type { GroupHandle } from "./group-handle.ts"

const order: ReadonlyArray<Phase> = ["Abandoned", "Pending", "Received", "Blocked", "Satisfied", "Retired"]

/** @since 0.1.0 @category constructors */
export const makeGroupHandle = (name: string, members: ReadonlyArray<ExpectationHandle>): GroupHandle => {
  const phaseOf = (): Phase => {
    const phases = members.map((member) => member.phase)
    return order.find((phase) => phases.includes(phase)) ?? "Retired"
  }
  const isSatisfied = (): boolean =>
    members.some((member) => member.isSatisfied()) &&
    members.every((member) => member.isSatisfied() || member.phase === "Retired")
  const diagnostic = (): string => `${name}: ${members.map((member) => member.diagnostic()).join("; ")}`
  const waitAll = async (wait: (member: ExpectationHandle) => Promise<void>): Promise<void> => {
    await Promise.all(members.map((member) => wait(member).catch((error) => rethrowUnlessRetired(member, error))))
    if (phaseOf() === "Retired") {
      throw new ExpectationFailed(`${diagnostic()}: all were retired`, { expectation: name, phase: "Retired" })
    }
  }
  const claims = (): number => members.reduce((sum, member) => sum + member.claims, 0)
  /** Any member's next claim may complete the sum. */
  const waitForSum = async (count: number): Promise<void> => {
    checkCount(count)
    while (claims() < count) {
      await Promise.any(members.map((member) => member.waitClaims(member.claims + 1))).catch(() => {
        const why = `${diagnostic()}: settled with ${claims()} of ${count} claims`
        throw new ExpectationFailed(why, { expectation: name, phase: phaseOf() })
      })
    }
  }
  const release = (barrier?: string): void => {
    for (const member of members) member.release(barrier)
  }
  return {
    name,
    members,
    get phase() {
      return phaseOf()
    },
    get claims() {
      return claims()
    },
    waitReceived: () => quiet(waitAll((member) => member.waitReceived())),
    waitBlocked: (barrier) => quiet(waitAll((member) => member.waitBlocked(barrier))),
    waitSatisfied: () => quiet(waitAll((member) => member.waitSatisfied())),
    waitDelivered: () => quiet(waitAll((member) => member.waitDelivered())),
    waitClaims: (count) => quiet(waitForSum(count)),
    release,
    retire: () => members.map((member) => member.retire()).includes(true),
    isSatisfied,
    assertSatisfied() {
      if (isSatisfied()) return
      throw new ExpectationFailed(`${diagnostic()}: not all were satisfied`, { expectation: name, phase: phaseOf() })
    },
    diagnostic,
    [Symbol.dispose]: () => release(),
    async [Symbol.asyncDispose]() {
      release()
    }
  }
}

/** A rejection that nobody looks at any more is no crash. */
const quiet = <A>(wait: Promise<A>): Promise<A> => {
  wait.catch(() => {})
  return wait
}

/** A retired alternative is no failure of its group. */
const rethrowUnlessRetired = (member: ExpectationHandle, error: unknown): void => {
  if (member.phase !== "Retired") throw error
}
