import type { Phase } from "../../src/domain/phase.ts"
import type { Moment, Observations, SeenWait } from "../observation/observations.ts"
import {
  accountOf,
  broken,
  copiesOf,
  type Invariant,
  indexOfPhase,
  isActiveAt,
  isComplete,
  type Registered,
  say
} from "./account.ts"
import { allOf, modelAgrees } from "./model-agrees.ts"

/** 21. Satisfied means: claimed, the primary crossed, no copy active. */
export const definition: Invariant = allOf((_, observations) => {
  const { commands, expectations } = accountOf(observations)
  for (const expectation of expectations) {
    for (const { before } of commands) {
      const isShown = before.phases[expectation.expectation] === "Satisfied"
      if (isShown !== isSatisfiedAt(expectation, before.traceIndex)) {
        broken(
          `${say.expectation(expectation)} shows ${before.phases[expectation.expectation]} when its copies say otherwise`
        )
      }
    }
  }
}, modelAgrees(21))

const isSatisfiedAt = (expectation: Registered, index: number): boolean => {
  const settled = expectation.primaries[0]?.settled
  const hasCrossed = settled?.as === "crossed" && settled.index < index
  return hasCrossed && !copiesOf(expectation).some((copy) => isActiveAt(copy, index))
}

const order: ReadonlyArray<Phase> = ["Received", "Blocked", "Satisfied", "Abandoned", "Retired"]
const final: ReadonlyArray<Phase> = ["Satisfied", "Abandoned", "Retired"]

/** 22. Phases go forward only, each at most once; Blocked needs a barrier; the final ones exclude each other. */
export const monotonePhases: Invariant = allOf((_, observations) => {
  for (const expectation of accountOf(observations).expectations) {
    const phases = expectation.phases.map(({ phase }) => phase)
    const isForward = phases.every(
      (phase, at) => at === 0 || order.indexOf(phase) > order.indexOf(phases[at - 1] ?? phase)
    )
    const isOneEnd = phases.filter((phase) => final.includes(phase)).length <= 1
    const isBarred = expectation.barriers.length > 0 || !phases.includes("Blocked")
    const isShown = expectation.phase === (phases.at(-1) ?? "Pending")
    const isAll = phases.length === 0 || phases[0] === "Received" || phases.join() === "Retired"
    if (!(isForward && isOneEnd && isBarred && isShown && isAll)) {
      broken(`${say.expectation(expectation)} went through ${phases.join(", ")} and shows ${expectation.phase}`)
    }
  }
}, modelAgrees(22))

/** 23. When the primary is cancelled before it crossed, nothing satisfies the expectation any more. */
export const cancelledPrimary: Invariant = allOf((_, observations) => {
  for (const expectation of accountOf(observations).expectations) {
    const isCancelled = expectation.primaries.some(({ settled }) => settled?.as === "cancelled")
    if (isCancelled && expectation.phases.some(({ phase }) => phase === "Satisfied")) {
      broken(`${say.expectation(expectation)} was satisfied although its primary was cancelled`)
    }
  }
}, modelAgrees(23))

/** 25. Whoever has read the primary's answer to its end, no other copy being active, finds it satisfied at once. */
export const readToEnd: Invariant = (_, observations) => {
  for (const expectation of accountOf(observations).expectations) {
    for (const primary of expectation.primaries.filter(isComplete)) {
      const { ended } = primary
      if (ended === null || ended.phase === "Satisfied") continue
      const others = copiesOf(expectation).filter((copy) => copy !== primary && isActiveAt(copy, ended.traceIndex))
      if (others.length === 0)
        broken(`${say.expectation(expectation)} was ${ended.phase} when ${say.request(primary)} ended`)
    }
  }
}

/** 27. When everything is open and read, every claimed expectation comes to its end, and so do waits for it. */
export const liveness: Invariant = allOf((history, observations) => {
  if (history.steps.some(({ command }) => command.type === "close")) return
  const closing = observations.commands.findIndex(({ command }) => command.type === "close")
  const moment = observations.commands[closing]?.before
  if (moment === undefined) return
  for (const expectation of accountOf(observations).expectations) {
    const phase = moment.phases[expectation.expectation]
    const isEnded = phase === "Satisfied" || phase === "Abandoned" || phase === "Retired"
    if (!isEnded) broken(`${say.expectation(expectation)} is still ${phase} when everything is open`)
    for (const wait of waitsFor(observations, expectation)) {
      if (wait.startedAt > closing || (wait.settledAt !== null && wait.settledAt <= closing)) continue
      broken(`a wait for ${wait.wanted} on ${say.expectation(expectation)} goes on, and its phase is ${phase}`)
    }
  }
  for (const request of accountOf(observations).requests) {
    if (request.settled?.as === "cancelled" || moment.ends[request.exchange] === true) continue
    if (!isGoneAt(request.exchange, observations)) broken(`${say.request(request)} was never answered to its end`)
  }
}, modelAgrees(27))

const isGoneAt = (exchange: number, { commands }: Observations): boolean =>
  commands.some(({ command }) => command.type === "disconnect" && command.exchange === exchange)

const waitsFor = ({ waits }: Observations, { expectation }: Registered): ReadonlyArray<SeenWait> =>
  waits.filter((wait) => wait.expectation === expectation)

/** 28. A wait that is started later behaves as if it had been started at registration, and ends as its phase says. */
export const levelTriggered: Invariant = (_, observations) => {
  for (const expectation of accountOf(observations).expectations) {
    const waits = waitsFor(observations, expectation)
    for (const wait of waits) {
      const first = waits.find(({ wanted }) => wanted === wait.wanted) ?? wait
      const wanted = isReached(wait, expectation, observations.end.moment)
      const isRight = wanted === null || wanted === (wait.outcome === "reached")
      const isSame = isReachedBy(wait) === isReachedBy(first)
      const settledAt = first.settledAt === null ? null : Math.max(first.settledAt, wait.startedAt)
      if (isRight && isSame && wait.settledAt === settledAt) continue
      broken(
        `a wait for ${wait.wanted} on ${say.expectation(expectation)}, started at command ${wait.startedAt}: ` +
          `${wait.outcome} at ${wait.settledAt}; started at registration: ${first.outcome} at ${first.settledAt}`
      )
    }
  }
}

/** The words of a rejection are those of its moment, so they may differ. */
const isReachedBy = ({ outcome }: SeenWait): boolean => outcome === "reached"

/** Whether a wait must have been fulfilled; `null` where only the named barrier would tell. */
const isReached = ({ wanted }: SeenWait, expectation: Registered, end: Moment): boolean | null => {
  const has = (...phases: ReadonlyArray<Phase>): boolean => Number.isFinite(indexOfPhase(expectation, ...phases))
  const [what, count] = wanted.split(" ")
  switch (what) {
    case "received":
      return has("Received")
    case "blocked":
      return has("Blocked", "Satisfied")
    case "satisfied":
      return has("Satisfied")
    case "claims":
      return (end.claims[expectation.expectation] ?? 0) >= Number(count)
    default:
      return has("Satisfied") ? true : has("Blocked") ? null : false
  }
}
