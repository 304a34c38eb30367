import type { Command, History, Step } from "../model/command.ts"
import { sends } from "../model/command.ts"
import { fingerprintOf } from "../model/request.ts"
import type { Observations, SeenExchange } from "../observation/observations.ts"
import { runHistory } from "../observation/run-history.ts"
import { broken } from "./account.ts"

/**
 * What holds between two runs; it rejects with an error that says what was different.
 *
 * @since 0.1.0
 * @category models
 */
export type Comparison = (history: History) => Promise<void>

/** 8. After a registration that fails, the server is as if nobody had called it. */
export const failureIsNoOp: Comparison = async (history) => {
  const full = await runHistory(history)
  const failed = (index: number): boolean => full.commands.find(({ step }) => step === index)?.error !== null
  const without = history.steps.map((step, index): Step => {
    if (step.command.type === "misregister") return omit(step, "other")
    return step.command.type === "register" && failed(index) ? omit(step, "register") : step
  })
  same(seenBy(full), seenBy(await runHistory({ ...history, steps: without })), "without the failed registrations")
}

/**
 * 10. Replays consume nothing: without them every other request is answered as before. For histories without drawn ties,
 * in which every expectation has a name of its own.
 */
export const replaysConsumeNothing: Comparison = async (history) => {
  const [full, less] = await withoutRequests(history, ({ source }) => source === "replay")
  same(othersBy(full, less), othersBy(less, less), "without the replays")
}

/**
 * 24. Replays, whether they stay or leave at once, never change whether an expectation is satisfied. As for 10; only the
 * last of a call is made to leave, because others keep it live for those that follow.
 */
export const replaysAreNeutral: Comparison = async (history) => {
  const isReplay = ({ source }: SeenExchange): boolean => source === "replay"
  const [full, less] = await withoutRequests(history, isReplay)
  const ends = ({ expectations }: Observations) => expectations.map((expectation) => expectation?.phase)
  same(ends(full), ends(less), "without the replays")
  let exchange = -1
  const steps = history.steps.flatMap((step): ReadonlyArray<Step> => {
    if (sends(step.command)) exchange++
    const seen = sends(step.command) ? full.exchanges[exchange] : null
    if (seen === null || seen === undefined || !isReplay(seen) || isFollowed(full, exchange)) return [step]
    return [step, { after: "turn", command: { type: "disconnect", exchange } }]
  })
  same(ends(full), ends(await runHistory({ ...history, steps })), "when replays leave at once")
}

/** Whether the same call is asked for again. */
const isFollowed = ({ exchanges }: Observations, exchange: number): boolean => {
  const print = (seen: SeenExchange | null | undefined): string | null =>
    seen === null || seen === undefined || seen.request === null ? null : fingerprintOf(seen.request)
  return exchanges.slice(exchange + 1).some((later) => print(later) === print(exchanges[exchange]))
}

/** 18. A second release changes nothing. For histories without drawn ties. */
export const releaseIsIdempotent: Comparison = async (history) => {
  const steps = history.steps.flatMap(
    (step): ReadonlyArray<Step> =>
      step.command.type === "release" ? [step, { after: "turn", command: step.command }] : [step]
  )
  const [once, twice] = [await runHistory(history), await runHistory({ ...history, steps })]
  same(seenBy(once), seenBy(twice), "with every release done twice")
}

/** 20. Disposing a handle is releasing it. */
export const disposalIsRelease: Comparison = async (history) => {
  const steps = history.steps.map((step): Step => {
    const { command } = step
    if (command.type !== "dispose") return step
    return { ...step, command: { type: "release", expectation: command.expectation, barrier: null } }
  })
  const [disposed, released] = [await runHistory(history), await runHistory({ ...history, steps })]
  same(seenBy(disposed), seenBy(released), "with releases instead of disposals")
}

/** 30. A refusal for want of a key changes nothing but log and count. For histories without drawn ties. */
export const refusalIsPure: Comparison = async (history) => {
  const [full, less] = await withoutRequests(history, ({ source }) => source === "unauthorized")
  same(othersBy(full, less), othersBy(less, less), "without the requests that were refused")
  same(phasesOf(full), phasesOf(less), "without the requests that were refused")
}

/** 39. The same history gives the same trace, the same bytes and the same waits. */
export const determinism: Comparison = async (history) => {
  const all = (run: Observations) => ({ ...seenBy(run), trace: run.trace, waits: run.waits, end: run.end })
  same(all(await runHistory(history)), all(await runHistory(history)), "when it is run again")
}

const omit = (step: Step, instead: Extract<Command, { type: "omitted" }>["instead"]): Step => ({
  ...step,
  command: { type: "omitted", instead }
})

/** Runs a history, and again without the requests that were answered in some way. */
const withoutRequests = async (
  history: History,
  isLeftOut: (exchange: SeenExchange) => boolean
): Promise<readonly [full: Observations, less: Observations]> => {
  const full = await runHistory(history)
  let exchange = -1
  const steps = history.steps.map((step): Step => {
    if (!sends(step.command)) return step
    const seen = full.exchanges[++exchange]
    return seen !== null && seen !== undefined && isLeftOut(seen) ? omit(step, "request") : step
  })
  return [full, await runHistory({ ...history, steps })]
}

const answerOf = ({ source, expectation, status, headers, pieces }: SeenExchange) => ({
  source,
  expectation,
  status,
  headers,
  text: pieces.map(({ text }) => text).join("")
})

const timedAnswerOf = (exchange: SeenExchange) => ({
  ...answerOf(exchange),
  at: exchange.at,
  headAt: exchange.headAt,
  pieces: exchange.pieces,
  // What the server cuts, it cuts at the end of the run, whenever that is.
  endedAt: exchange.ended?.how === "end" ? exchange.ended.at : null,
  settled: exchange.settled && [exchange.settled.as, exchange.settled.at]
})

/** The answers to the requests that are in both runs. Those that end a run may be asked at another time. */
const othersBy = ({ exchanges, commands }: Observations, less: Observations) =>
  exchanges.map((exchange, index) => {
    if (exchange === null || less.exchanges[index] === null) return null
    return commands[exchange.command]?.step === null ? answerOf(exchange) : timedAnswerOf(exchange)
  })

const phasesOf = ({ expectations }: Observations) =>
  expectations.map((expectation) => expectation?.phases.map(({ phase }) => phase))

/** What clients and handles saw, without the numbers that count other things too. */
export const seenBy = ({ exchanges, expectations }: Observations) => ({
  exchanges: exchanges.map((exchange) => exchange && { ...timedAnswerOf(exchange), phase: exchange.ended?.phase }),
  expectations: expectations.map(
    (expectation) =>
      expectation && {
        name: expectation.name,
        claims: expectation.claims,
        phases: expectation.phases.map(({ phase, at }) => [phase, at])
      }
  )
})

/** Two values that must be alike; the message shows where they are not. */
export const same = (one: unknown, other: unknown, when: string): void => {
  const place = differenceOf(one, other, "")
  if (place !== null) broken(`${place.path || "it"} is ${place.one}, and ${when} ${place.other}`)
}

interface Place {
  readonly path: string
  readonly one: string
  readonly other: string
}

const differenceOf = (one: unknown, other: unknown, path: string): Place | null => {
  if (Object.is(one, other)) return null
  if (!isObject(one) || !isObject(other)) return { path, one: shown(one), other: shown(other) }
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const place = differenceOf(Reflect.get(one, key), Reflect.get(other, key), `${path}/${key}`)
    if (place !== null) return place
  }
  return null
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const shown = (value: unknown): string => JSON.stringify(value) ?? "absent"
