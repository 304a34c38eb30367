import { thrownText } from "../domain/error-like.ts"
import { describe, isRecord } from "../domain/json.ts"
import { explainWaits } from "./explain-waits.ts"
import type { Breach, Hot, Oracle } from "./monitor.ts"
import type { SeenEvent } from "./run-event.ts"
import { shapeOf, type Violation } from "./violation.ts"

/** How a run is judged. */
export interface WatchOptions {
  /** When faults have stopped, what still waits has so many milliseconds of virtual time left. Default: until the run ends. */
  readonly settleBudgetMs?: number
}

/**
 * A run that is being judged: each oracle at each event.
 *
 * @since 0.1.0
 * @category running
 */
export interface WatchedRun {
  /** Events come in the order in which they happened. */
  see(event: SeenEvent): void
  /** Virtual time has passed, and nothing has happened. */
  passTo(at: number): void
  /** What was found, in the order in which it was found: at most one violation of each oracle, and one of liveness. */
  violations(): ReadonlyArray<Violation>
}

interface Watched {
  readonly oracle: Oracle
  state: unknown
  isBroken: boolean
  /** One that threw is not asked again: nobody knows what it holds. */
  isSilent: boolean
}

const liveness = "liveness"

/** @since 0.1.0 @category constructors */
export const watchRun = (oracles: ReadonlyArray<Oracle>, options: WatchOptions = {}): WatchedRun => {
  const { settleBudgetMs = Number.POSITIVE_INFINITY } = options
  const found: Array<Violation> = []
  let now = Number.NEGATIVE_INFINITY
  let events = 0
  let stoppedAt = Number.POSITIVE_INFINITY
  let isLivenessBroken = false

  const report = (one: Watched, violation: Omit<Violation, "oracle" | "events">): void => {
    one.isBroken = true
    found.push({ oracle: one.oracle.name, ...violation, events })
  }
  /** What a law answers. What it throws is what it found, whoever would have caught it: laws are asked amid clients and servers. */
  const ask = <A>(one: Watched, { member, at, ask }: Asked<A>): A | undefined => {
    if (one.isSilent) return undefined
    try {
      return ask()
    } catch (error) {
      one.isSilent = true
      if (!one.isBroken) report(one, { ...thrownBreach(member, error), at, cause: error })
      return undefined
    }
  }
  const hotOf = (one: Watched, at: number): ReadonlyArray<Hot> =>
    ask(one, { member: "hot", at, ask: () => one.oracle.hot?.(one.state) }) ?? []

  const watched = oracles.map((oracle): Watched => {
    const one: Watched = { oracle, state: undefined, isBroken: false, isSilent: false }
    one.state = ask(one, { member: "init", at: 0, ask: () => oracle.init() })
    return one
  })

  const reportLiveness = (at: number, hot: ReadonlyArray<Hot>): void => {
    if (isLivenessBroken || hot.length === 0) return
    isLivenessBroken = true
    found.push({ oracle: liveness, ...explainHot(hot), at, events })
  }
  const graceEnd = ({ since }: Hot): number => Math.max(since, stoppedAt) + settleBudgetMs

  /** What had to happen before `at` and did not. Between two events nothing changes, so one look is enough. */
  const judgeDeadlines = (at: number): void => {
    if (at <= now) return
    const late: Array<Hot> = []
    const overdue: Array<{ readonly one: Watched; readonly hot: Hot; readonly due: number }> = []
    for (const one of watched) {
      for (const hot of hotOf(one, at)) {
        const due = dueOf(hot)
        if (due < at) overdue.push({ one, hot, due })
        if (graceEnd(hot) < at) late.push(hot)
      }
    }
    overdue.sort((a, b) => a.due - b.due)
    for (const { one, hot, due } of overdue)
      if (!one.isBroken) report(one, { shape: hot.what, message: sayHot(hot), at: due })
    reportLiveness(Math.min(...late.map(graceEnd)), late)
    now = at
  }

  const judgeState = (one: Watched, at: number): void => {
    if (one.isBroken) return
    const breach = ask(one, { member: "fail", at, ask: () => breachOf(one.oracle.fail?.(one.state)) })
    if (breach !== undefined) report(one, { ...breach, at })
  }

  return {
    see(event) {
      judgeDeadlines(event.at)
      events++
      if (event.type === "faults.stopped") stoppedAt = Math.min(stoppedAt, event.at)
      for (const one of watched) {
        one.state = ask(one, { member: "on", at: event.at, ask: () => stateAfter(one, event) })
        judgeState(one, event.at)
      }
      if (event.type !== "run.ended") return
      const open = watched.flatMap((one) => hotOf(one, event.at))
      reportLiveness(event.at, open)
    },
    passTo: judgeDeadlines,
    violations: () => found.slice()
  }
}

/** Judges a run that is over. */
export const judgeRun = (
  oracles: ReadonlyArray<Oracle>,
  events: ReadonlyArray<SeenEvent>,
  options?: WatchOptions
): ReadonlyArray<Violation> => {
  const run = watchRun(oracles, options)
  for (const event of events) run.see(event)
  return run.violations()
}

interface Asked<A> {
  readonly member: string
  readonly at: number
  readonly ask: () => A
}

const thrownBreach = (member: string, error: unknown): Breach => {
  const text = thrownText(error)
  return { shape: `${member} throws ${shapeOf(text)}`, message: `${member} throws ${text}` }
}

/** **Fails** with `TypeError` where a law that has a state gives none back: it would find nothing any more, or throw elsewhere */
const stateAfter = ({ oracle, state }: Watched, event: SeenEvent): unknown => {
  const after = oracle.on(event, state)
  if (after === undefined && state !== undefined) throw new TypeError("on gave undefined: give the state back")
  return after
}

/** **Fails** with `TypeError` for what says neither that nothing is broken nor what is */
const breachOf = (failure: unknown): Breach | undefined => {
  if (failure === undefined) return undefined
  if (typeof failure === "string") return { shape: shapeOf(failure), message: failure }
  if (isRecord(failure)) {
    const { shape, message } = failure
    if (typeof shape === "string" && typeof message === "string") return { shape, message }
  }
  throw new TypeError(
    `${describe(failure)} is no answer; give a text, { shape, message }, or undefined when nothing is broken`
  )
}

const dueOf = ({ since, deadlineMs = Number.POSITIVE_INFINITY }: Hot): number => since + deadlineMs

const sayHot = ({ who, waitsFor, since, deadlineMs }: Hot): string =>
  `${who} waits for ${waitsFor} since ${since} ms${deadlineMs === undefined ? "" : `, ${deadlineMs} ms at most`}`

/** A cycle is the failure where there is one; otherwise what stands at the end of the waits, and not who waits for it. */
const explainHot = (hot: ReadonlyArray<Hot>): { readonly shape: string; readonly message: string } => {
  const { lines, cycles, roots } = explainWaits(hot)
  const [shape] = hot
    .filter((wait) => roots.includes(wait))
    .map(({ what }) => what)
    .sort()
  return {
    shape: cycles.length > 0 || shape === undefined ? "a cycle of waits" : shape,
    message: `these wait for ever: ${lines.join("; ")}`
  }
}
