import type { Phase } from "../../src/domain/phase.ts"
import type { BarrierPlace, Command, History, RequestSpec, Script } from "../model/command.ts"
import { classOf, fingerprintOf } from "../model/request.ts"
import type { Done, Observations, SeenExchange, SeenExpectation } from "../observation/observations.ts"

/**
 * What is said of a run; it throws when that is not so.
 *
 * @since 0.1.0
 * @category models
 */
export type Invariant = (history: History, observations: Observations) => void

/** Fails an invariant, in words. */
export const broken = (what: string): never => {
  throw new Error(what)
}

/** An inference request that was answered. */
export interface Answered extends SeenExchange {
  readonly exchange: number
  readonly request: RequestSpec
  readonly kind: "foreground" | "auxiliary"
  readonly fingerprint: string | null
}

/** An expectation with what it was registered with and who came. */
export interface Registered extends SeenExpectation {
  readonly expectation: number
  readonly matcher: { readonly endpoint: string; readonly kind: string }
  readonly script: Script
  readonly barriers: ReadonlyArray<BarrierPlace>
  /** All that claimed it as primary; one at most, if all is well. */
  readonly primaries: ReadonlyArray<Answered>
  readonly replays: ReadonlyArray<Answered>
  /** The index in the trace at which nobody waited for its end any more; infinite while it was closed. */
  readonly releasedIndex: number
}

/** The facts of a run in the order in which they happened. */
export interface Account {
  readonly requests: ReadonlyArray<Answered>
  readonly expectations: ReadonlyArray<Registered>
  readonly commands: ReadonlyArray<Done>
}

const accounts = new WeakMap<Observations, Account>()

/** Puts what was seen together by expectation and request. */
export const accountOf = (observations: Observations): Account => {
  const known = accounts.get(observations)
  if (known !== undefined) return known
  const account = makeAccount(observations)
  accounts.set(observations, account)
  return account
}

const makeAccount = (observations: Observations): Account => {
  const requests = observations.exchanges.flatMap((seen, exchange): ReadonlyArray<Answered> => {
    const request = seen?.request ?? null
    if (seen === null || request === null) return []
    return [{ ...seen, exchange, request, kind: classOf(request).kind, fingerprint: fingerprintOf(request) }]
  })
  const commands = observations.commands
  const expectations = observations.expectations.flatMap((seen, expectation): ReadonlyArray<Registered> => {
    const command = commands.find((done) => done.number === expectation && done.command.type === "register")?.command
    if (seen === null || command?.type !== "register") return []
    const { matcher, script, barriers } = command
    const copies = requests.filter((request) => request.expectation === expectation)
    const primaries = copies.filter(({ source }) => source === "expectation")
    const replays = copies.filter(({ source }) => source === "replay")
    const releasedIndex = releaseOf(commands, expectation, barriers)
    return [{ ...seen, expectation, matcher, script, barriers, primaries, replays, releasedIndex }]
  })
  return { requests, expectations, commands }
}

const releaseOf = (
  commands: ReadonlyArray<Done>,
  expectation: number,
  barriers: ReadonlyArray<BarrierPlace>
): number => {
  if (!barriers.includes("terminal")) return -1
  const release = commands.find(({ command }) => opensEnd(command, expectation))
  return release?.before.traceIndex ?? Number.POSITIVE_INFINITY
}

const opensEnd = (command: Command, expectation: number): boolean =>
  (command.type === "dispose" && command.expectation === expectation) ||
  (command.type === "release" &&
    command.expectation === expectation &&
    (command.barrier === null || command.barrier === "terminal"))

/** When a handle first showed one of these phases, as an index in the trace; infinite if never. */
export const indexOfPhase = ({ phases }: SeenExpectation, ...wanted: ReadonlyArray<Phase>): number =>
  phases.find(({ phase }) => wanted.includes(phase))?.index ?? Number.POSITIVE_INFINITY

/** Whether an expectation could be claimed at this index of the trace. */
export const isPendingAt = (expectation: Registered, index: number): boolean =>
  expectation.registeredIndex < index && indexOfPhase(expectation, "Received", "Retired") >= index

/** Whether a copy had begun and not settled at this index of the trace. */
export const isActiveAt = ({ askedIndex, settled }: Answered, index: number): boolean =>
  askedIndex < index && (settled === null || settled.index >= index)

export const copiesOf = ({ primaries, replays }: Registered): ReadonlyArray<Answered> => [...primaries, ...replays]

/** The expectation whose call was live under the fingerprint of a request when it was asked. */
export const liveBefore = ({ expectations }: Account, request: Answered): Registered | undefined =>
  expectations.find(
    (expectation) =>
      request.fingerprint !== null &&
      expectation.primaries.some(({ fingerprint }) => fingerprint === request.fingerprint) &&
      copiesOf(expectation).some((copy) => copy !== request && isActiveAt(copy, request.askedIndex))
  )

export const isFor = (expectation: Registered, request: Answered): boolean =>
  expectation.matcher.endpoint === request.request.endpoint && expectation.matcher.kind === request.kind

/** The body without comments. */
export const bodyOf = ({ pieces }: SeenExchange): string =>
  pieces.map(({ text }) => (text === ":\n\n" ? "" : text)).join("")

export const isComplete = ({ ended }: SeenExchange): boolean => ended?.how === "end"

/** How one speaks of them. */
export const say = {
  request: ({ exchange }: Answered): string => `request ${exchange}`,
  expectation: ({ expectation, name }: Registered): string => `expectation ${expectation} "${name}"`
}
