import type { SeenExchange } from "../observation/observations.ts"
import { mayPass, mayWait } from "./gate.ts"
import type { GateChange, ModelCopy } from "./state.ts"
import type { Stage } from "./timeline.ts"

/** What of an exchange had been seen at some moment, and which moment that was. */
export interface Sight {
  readonly exchange: SeenExchange
  readonly pieces: number
  readonly hasHead: boolean
  readonly hasEnded: boolean
  readonly isSettled: boolean
  readonly now: number
  /** Whatever is due now has been done. */
  readonly isQuiet: boolean
  readonly gate: ReadonlyArray<GateChange>
  readonly killAt: number | null
}

/**
 * A difference between server and model, with the numbers of the invariants that it breaks.
 *
 * @since 0.1.0
 * @category models
 */
export interface Difference {
  readonly laws: ReadonlyArray<number>
  readonly text: string
}

/** After this long without a byte a stream says something. */
export const keepAliveMs = 15_000

const keepAliveText = ":\n\n"

/**
 * Takes a copy as far as it was seen to have come. Every step has a due time, and may be seen then and at no other time;
 * what is due in the millisecond that is not over may have happened or not.
 *
 * **Gives** the first difference, `null` when there is none
 */
export const walk = (copy: ModelCopy, sight: Sight): Difference | null => {
  for (;;) {
    const stage = copy.isOver || copy.settled?.as === "cancelled" ? undefined : arrive(copy)
    if (stage === undefined) return leftOver(copy, sight)
    const comment = takeComments(copy, stage, sight)
    if (comment !== null) return comment
    const step = stepAt(copy, stage, sight)
    if (step !== "done") return step === "waits" ? missingComment(copy, stage, sight) : step
  }
}

/** Passes what needs no permission, and says what comes then. */
const arrive = (copy: ModelCopy): Stage | undefined => {
  for (;;) {
    const stage = copy.stages[copy.index]
    if (copy.parked === "reader") return stage
    if (stage?.does === "pause") {
      copy.due += stage.ms
      copy.dueBy = "pause"
    } else if (stage?.does === "barrier") {
      if (copy.isPrimary) copy.barredAt ??= copy.due
      const openedAt = copy.expectation?.openedAt.get(stage.name)
      copy.parked = openedAt === undefined ? "barrier" : null
      if (openedAt === undefined) return stage
      if (openedAt > copy.due) {
        copy.due = openedAt
        copy.dueBy = "release"
      }
    } else return stage
    copy.index++
  }
}

/** One stage: done, waiting as it should, or different. */
const stepAt = (copy: ModelCopy, stage: Stage, sight: Sight): "done" | "waits" | Difference => {
  const { exchange } = sight
  const crossedAt = sight.isSettled && exchange.settled?.as === "crossed" ? exchange.settled.at : null
  if (copy.parked === "barrier") {
    if (crossedAt !== null) {
      return differ([16, 19], copy, `crossed at ${crossedAt} ms before its barrier was released`)
    }
    return nothingMore(copy, sight, [16, 18])
  }
  if (copy.parked === "reader") return nothingMore(copy, sight, [36])
  if (stage.does === "gate") return passGate(copy, sight, crossedAt)
  if (stage.crosses && copy.settled === null) {
    if (crossedAt === null) return overdue(copy, sight, "has not crossed")
    if (crossedAt !== copy.due) return mistimed(copy, sight, `crossed at ${crossedAt} ms`)
    copy.settled = { as: "crossed", at: crossedAt }
  }
  switch (stage.does) {
    case "head":
      if (!sight.hasHead) return overdue(copy, sight, "has sent no head")
      if (exchange.headAt !== copy.due) return mistimed(copy, sight, `sent its head at ${exchange.headAt} ms`)
      copy.silentSince = copy.due
      break
    case "write": {
      const piece = copy.pieces < sight.pieces ? exchange.pieces[copy.pieces] : undefined
      if (piece === undefined) return overdue(copy, sight, `has not sent ${JSON.stringify(stage.text)}`)
      if (piece.at !== copy.due) return mistimed(copy, sight, `sent ${JSON.stringify(piece.text)} at ${piece.at} ms`)
      if (piece.text !== stage.text) return different(copy, piece.text, stage.text)
      take(copy, piece)
      if (copy.windowBytes !== null && copy.unread >= copy.windowBytes) copy.parked = "reader"
      break
    }
    default:
      if (!sight.hasEnded) return overdue(copy, sight, "has not ended")
      if (exchange.ended?.how !== "end" && exchange.ended?.at === sight.killAt) {
        copy.isOver = true
        return "done"
      }
      if (exchange.ended?.at !== copy.due) return mistimed(copy, sight, `ended at ${exchange.ended?.at} ms`)
      if (exchange.ended.how !== "end") return differ([27], copy, `ended with ${exchange.ended.how}`)
      copy.isOver = true
  }
  copy.index++
  return "done"
}

const passGate = (copy: ModelCopy, sight: Sight, crossedAt: number | null): "done" | "waits" | Difference => {
  const { gate, now, isQuiet, killAt } = sight
  if (crossedAt !== null) {
    if (crossedAt < copy.due || !mayPass(gate, copy.due, crossedAt)) {
      return differ([32], copy, `crossed at ${crossedAt} ms through the gate to which it came at ${copy.due} ms`)
    }
    if (crossedAt > copy.due) copy.dueBy = "gate"
    copy.due = crossedAt
    copy.index++
    return "done"
  }
  const hasCome = copy.due < now || (isQuiet && copy.due <= now)
  if (!hasCome || isAfterKill(copy, sight)) return nothingMore(copy, sight, [32])
  const isOverdue = (since: number | null): boolean =>
    since !== null && (since < now || isQuiet) && since < (killAt ?? Number.POSITIVE_INFINITY)
  if (isOverdue(copy.wokenAt) || !mayWait(gate, copy.due, isOverdue))
    return differ([32, 27], copy, "still stands before the open gate")
  copy.standsAtGate = true
  return nothingMore(copy, sight, [32])
}

/** Whatever is due after the server cut it never happens. */
const isAfterKill = (copy: ModelCopy, { killAt }: Sight): boolean => killAt !== null && copy.due >= killAt

const overdue = (copy: ModelCopy, sight: Sight, what: string): "waits" | Difference => {
  const { now, isQuiet, gate } = sight
  if (isAfterKill(copy, sight) || copy.due > now || (copy.due === now && !isQuiet)) {
    return nothingMore(copy, sight, lawsOf(copy))
  }
  const laws = [...lawsOf(copy), 27, ...(gate.at(-1)?.isHeld === true && !copy.isGated ? [32] : [])]
  return differ(laws, copy, `${what}, which was due at ${copy.due} ms`)
}

const mistimed = (copy: ModelCopy, { gate }: Sight, what: string): Difference =>
  differ([...lawsOf(copy), ...(gate.length > 0 ? [32] : [])], copy, `${what} and not at ${copy.due} ms`)

/** The invariant that sets a due time. */
const lawsOf = ({ dueBy, expectation, answer }: ModelCopy): ReadonlyArray<number> => {
  switch (dueBy) {
    case "release":
      return [18]
    case "gate":
      return [32]
    case "pause":
    case "read":
      return [36]
    case "start":
      return answer.body.kind === "frames" && (expectation?.barriers.length ?? 0) > 0 ? [17] : [36]
  }
}

const nothingMore = (copy: ModelCopy, sight: Sight, laws: ReadonlyArray<number>): "waits" | Difference => {
  const { exchange } = sight
  const extra = copy.pieces < sight.pieces ? exchange.pieces[copy.pieces] : undefined
  if (extra !== undefined) return differ(laws, copy, `sent ${JSON.stringify(extra.text)} at ${extra.at} ms, too early`)
  if (sight.hasEnded && exchange.ended?.how === "end") return differ(laws, copy, `ended at ${exchange.ended.at} ms`)
  return "waits"
}

/** A copy that is over or cancelled sends nothing more. */
const leftOver = (copy: ModelCopy, sight: Sight): Difference | null => {
  const extra = copy.pieces < sight.pieces ? sight.exchange.pieces[copy.pieces] : undefined
  return extra === undefined
    ? null
    : differ([15], copy, `sent ${JSON.stringify(extra.text)} at ${extra.at} ms when it was over`)
}

/** Comments come when the stream has been silent for long enough, and at no other time. */
const takeComments = (copy: ModelCopy, stage: Stage, sight: Sight): Difference | null => {
  for (;;) {
    const piece = copy.pieces < sight.pieces ? sight.exchange.pieces[copy.pieces] : undefined
    if (piece === undefined || piece.text !== keepAliveText) return null
    const isWaiting = copy.parked === "barrier" || stage.does === "gate" || copy.due >= piece.at
    if (!isWaiting || stage.does === "head") return null
    if (piece.at !== copy.silentSince + keepAliveMs || copy.answer.body.kind !== "frames" || copy.parked === "reader") {
      return differ([0], copy, `sent a comment at ${piece.at} ms; it was silent since ${copy.silentSince} ms`)
    }
    take(copy, piece)
  }
}

const missingComment = (copy: ModelCopy, stage: Stage, sight: Sight): Difference | null => {
  const { now, killAt, hasHead } = sight
  const isStreaming = copy.answer.body.kind === "frames" && hasHead && copy.parked !== "reader"
  const wanted = copy.silentSince + keepAliveMs
  const until = Math.min(now, killAt ?? now, copy.parked === "barrier" || stage.does === "gate" ? now : copy.due)
  return isStreaming && wanted < until ? differ([0], copy, `sent no comment at ${wanted} ms`) : null
}

const take = (copy: ModelCopy, piece: { readonly at: number; readonly text: string }): void => {
  copy.pieces++
  copy.unread += piece.text.length
  copy.silentSince = piece.at
}

const different = (copy: ModelCopy, sent: string, wanted: string): Difference =>
  differ([29, ...(copy.source === "replay" ? [11] : [])], copy, `sent ${JSON.stringify(sent)}, not ${wanted}`)

const differ = (laws: ReadonlyArray<number>, copy: ModelCopy, what: string): Difference => ({
  laws,
  text: `request ${copy.exchange} (${copy.source}) ${what}`
})
