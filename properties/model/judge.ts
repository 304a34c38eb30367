import type { Done, Moment, Observations, SeenExchange } from "../observation/observations.ts"
import { apply } from "./apply.ts"
import type { History } from "./command.ts"
import { expectedPhases } from "./phases.ts"
import { freshModel, type ModelCopy, type ModelState } from "./state.ts"
import { type Difference, type Sight, walk } from "./walk.ts"

/**
 * What the model has to say about a run.
 *
 * @since 0.1.0
 * @category models
 */
export interface Judgement {
  /** Where server and model parted, in order; `command` counts the commands of the run. */
  readonly differences: ReadonlyArray<Difference & { readonly command: number }>
  /** The model as it was at the end, or when they parted. */
  readonly model: ModelState
}

/** A run that differs this often is not followed any further. */
const differencesMax = 20

const judgements = new WeakMap<Observations, Judgement>()

/**
 * Runs the reference model beside what was seen: it predicts the source of every answer, and for every copy when it does
 * what. Each run is judged once.
 *
 * **Gives** the differences; none when the server does what the specification says
 *
 * @since 0.1.0
 * @category running
 */
export const judge = (history: History, observations: Observations): Judgement => {
  const known = judgements.get(observations)
  if (known !== undefined) return known
  const judgement = compare(history, observations)
  judgements.set(observations, judgement)
  return judgement
}

const compare = ({ setup }: History, observations: Observations): Judgement => {
  const model = freshModel(setup)
  const differences: Array<Difference & { readonly command: number }> = []
  const found = (command: number, list: ReadonlyArray<Difference>): boolean => {
    differences.push(...list.map((difference) => ({ ...difference, command })))
    return differences.length < differencesMax && list.every(({ laws }) => !laws.includes(parted))
  }
  for (const [command, done] of observations.commands.entries()) {
    const isFollowed =
      found(command, follow(model, observations, done.before, done)) && found(command, apply(model, observations, done))
    if (!isFollowed) return { differences, model }
  }
  const { end } = observations
  found(observations.commands.length, follow(model, observations, end.moment, { at: end.at, isQuiet: true }))
  return { differences, model }
}

/** A difference of this invariant leaves the model with nothing to go on. */
const parted = 29

/** Takes the model to a moment. */
const follow = (
  model: ModelState,
  observations: Observations,
  moment: Moment,
  time: Pick<Done, "at" | "isQuiet">
): ReadonlyArray<Difference> => {
  const differences: Array<Difference> = []
  for (const copy of model.copies) {
    const exchange = observations.exchanges[copy.exchange]
    if (exchange === null || exchange === undefined || copy.isLost) continue
    const sight = sightOf(model, { copy, exchange, moment }, time)
    const difference = walk(copy, sight) ?? settle(copy, sight)
    if (difference === null) continue
    differences.push(difference)
    copy.isLost = true
  }
  return [...differences, ...expectedPhases(model, moment, time)]
}

const sightOf = (
  model: ModelState,
  seen: { readonly copy: ModelCopy; readonly exchange: SeenExchange; readonly moment: Moment },
  { at, isQuiet }: Pick<Done, "at" | "isQuiet">
): Sight => {
  const { copy, exchange, moment } = seen
  return {
    exchange,
    pieces: moment.pieces[copy.exchange] ?? 0,
    hasHead: moment.heads[copy.exchange] ?? false,
    hasEnded: moment.ends[copy.exchange] ?? false,
    isSettled: exchange.settled !== null && exchange.settled.index < moment.traceIndex,
    now: at,
    isQuiet,
    gate: model.gate,
    killAt: model.closing?.killAt ?? null
  }
}

/** A copy is cancelled by its client or by a closing server, at once, and by nothing else. */
const settle = (copy: ModelCopy, { exchange, isSettled, killAt, now, isQuiet }: Sight): Difference | null => {
  const request = `request ${copy.exchange} (${copy.source})`
  const seen = isSettled ? exchange.settled : null
  if (copy.settled !== null) {
    if (seen?.as === copy.settled.as && seen.at === copy.settled.at) return null
    const wanted = `${copy.settled.as} at ${copy.settled.at} ms`
    return { laws: [15], text: `${request} settled ${seen === null ? "not" : `as ${seen.as}`}, and not as ${wanted}` }
  }
  if (seen?.as === "cancelled") {
    copy.settled = seen
    copy.isOver = true
    if (seen.at === killAt) return null
    return { laws: [15, 27], text: `${request} was cancelled at ${seen.at} ms, and nobody had left` }
  }
  if (killAt === null || killAt > now || (killAt === now && !isQuiet)) return null
  return { laws: [38], text: `${request} goes on after the server was closed at ${killAt} ms` }
}
