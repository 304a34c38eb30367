import { ExpectationFailed, InvalidOption } from "../domain/errors.ts"
import type { Phase } from "../domain/phase.ts"
import { checkCount } from "./check-options.ts"
import type { ExpectationHandle } from "./expectation-handle.ts"
import type { GroupHandle } from "./group-handle.ts"
import { outstandingWait } from "./outstanding-wait.ts"

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
  const isOpen = (member: ExpectationHandle): boolean => !member.isSatisfied() && member.phase !== "Retired"
  /** All members where they are few, else those that are not satisfied. */
  const diagnostic = (): string => {
    const told = members.length <= toldMax ? members : members.filter(isOpen)
    return `${name}: ${listed(told.map((member) => member.diagnostic())).join("; ")}`
  }
  const waitAll = async (wait: (member: ExpectationHandle) => Promise<void>): Promise<void> => {
    await Promise.all(members.map((member) => wait(member).catch((error) => rethrowUnlessRetired(member, error))))
    if (phaseOf() === "Retired") {
      throw new ExpectationFailed(`${diagnostic()}: all were retired`, { expectation: name, phase: "Retired" })
    }
  }
  /** Waits for those that have the barrier: an alternative that lacks it can be nowhere near it. */
  const waitNamed = async (barrier: string): Promise<void> => {
    const waits = members.map((member) =>
      member.waitBlocked(barrier).then(
        () => null,
        (error: unknown) => {
          if (error instanceof InvalidOption) return error
          rethrowUnlessRetired(member, error)
          return null
        }
      )
    )
    const refusals = await Promise.all(waits)
    const having = members.filter((_, index) => refusals[index] === null)
    if (having.length === 0) throw noSuchBarrier(name, barrier, refusals)
    if (having.some((member) => member.phase !== "Retired")) return
    const why = `${diagnostic()}: all that have barrier \`${barrier}\` were retired`
    throw new ExpectationFailed(why, { expectation: name, phase: phaseOf() })
  }
  const claims = (): number => members.reduce((sum, member) => sum + member.claims, 0)
  const waitForSum = sumOfClaims(members, (count) => {
    const why = `${diagnostic()}: settled with ${claims()} of ${count} claims`
    return new ExpectationFailed(why, { expectation: name, phase: phaseOf() })
  })
  const release = (barrier?: string): void => {
    const refusals = members.flatMap((member) => refusal(() => member.release(barrier)))
    if (refusals.length === 0 || refusals.length < members.length) return
    throw noSuchBarrier(name, barrier, refusals)
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
    waitBlocked: (barrier) =>
      quiet(barrier === undefined ? waitAll((member) => member.waitBlocked()) : waitNamed(barrier)),
    waitSatisfied: () => quiet(waitAll((member) => member.waitSatisfied())),
    waitDelivered: () => quiet(waitAll((member) => member.waitDelivered())),
    waitClaims: waitForSum,
    release,
    retire: () => members.map((member) => member.retire()).includes(true),
    isSatisfied,
    assertSatisfied() {
      if (isSatisfied()) return
      // Members of one matcher have one hint.
      const hints = [...new Set(members.filter(isOpen).slice(0, hintedMax).flatMap(hintOf))]
      const why = [`${diagnostic()}: not all were satisfied`, ...listed(hints)].join("\n")
      throw new ExpectationFailed(why, { expectation: name, phase: phaseOf() })
    },
    diagnostic,
    [Symbol.dispose]: () => release(),
    async [Symbol.asyncDispose]() {
      release()
    }
  }
}

/** So many members, and so many different hints, are told; so many members are asked for theirs. */
const toldMax = 16
const hintedMax = 256

const listed = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length <= toldMax ? lines : [...lines.slice(0, toldMax), `and ${lines.length - toldMax} more`]

/** What the assertion of a member says after its first line. */
const hintOf = (member: ExpectationHandle): ReadonlyArray<string> => {
  try {
    member.assertSatisfied()
    return []
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const end = message.indexOf("\n")
    return end < 0 ? [] : [message.slice(end + 1)]
  }
}

/** So many members say in an error why they refused: most groups have members of one kind. */
const refusalsShown = 3

/** What is said of a barrier that no member has. */
const noSuchBarrier = (
  name: string,
  barrier: string | undefined,
  refusals: ReadonlyArray<InvalidOption | null>
): InvalidOption => {
  const reasons = refusals.flatMap((error) => error?.message ?? []).slice(0, refusalsShown)
  return new InvalidOption(`\`${name}\` has no barrier \`${barrier}\` in any member: ${reasons.join("; ")}`)
}

/** Why an option was refused; nothing when it was not. */
const refusal = (act: () => void): ReadonlyArray<InvalidOption> => {
  try {
    act()
    return []
  } catch (error) {
    if (error instanceof InvalidOption) return [error]
    throw error
  }
}

/** A test that waits for the sum of all claims. */
interface SumWait {
  readonly count: number
  readonly resolve: (value: undefined) => void
  readonly reject: (error: ExpectationFailed) => void
}

/**
 * Waits for a sum of claims, any number of them at once. From the first on each member is watched by one wait for its next
 * claim, which all of them share: a claim costs the same however many members there are.
 */
const sumOfClaims = (
  members: ReadonlyArray<ExpectationHandle>,
  settledEarly: (count: number) => ExpectationFailed
): ((count: number) => Promise<void>) => {
  const waits = new Set<SumWait>()
  let isWatching = false
  let claimed = 0
  let claimable = members.length
  const look = (): void => {
    for (const wait of waits) {
      const isReached = claimed >= wait.count
      if (!isReached && claimable > 0) continue
      waits.delete(wait)
      if (isReached) wait.resolve(undefined)
      else wait.reject(settledEarly(wait.count))
    }
  }
  const watch = async (member: ExpectationHandle): Promise<void> => {
    try {
      for (let seen = 0; ; ) {
        await member.waitClaims(seen + 1)
        claimed += member.claims - seen
        seen = member.claims
        look()
      }
    } catch {
      claimable--
      look()
    }
  }
  return (count) =>
    outstandingWait((resolve, reject) => {
      checkCount(count)
      waits.add({ count, resolve, reject })
      look()
      if (isWatching) return
      isWatching = true
      for (const member of members) void watch(member)
    })
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
