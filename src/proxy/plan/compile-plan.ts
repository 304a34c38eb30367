import { InvalidOption } from "../../domain/errors.ts"
import { describe } from "../../domain/json.ts"
import type { Choice } from "../../kernel/choice.ts"
import { decideFrame } from "./decide-frame.ts"
import type { ActionType, Direction, FaultAction, FaultProgram, FaultRule } from "./fault-program.ts"
import type { FrameDecision } from "./frame-decision.ts"
import { happens } from "./labelled-choice.ts"
import { isWithin, matches, needsContent, nextMatching } from "./match-frame.ts"
import type { PlanFrame, RewriteLength } from "./plan-frame.ts"

/**
 * What a plan needs of the next frame: nothing before the frame `until` (`null`: nothing any more), its bytes, or its content too.
 * It holds until `revision` of the plan changes.
 */
export type PlanNeeds =
  | { readonly kind: "nothing"; readonly until: number | null }
  | { readonly kind: "frame" }
  | { readonly kind: "content" }

/**
 * A plan as one direction of one connection sees it. It counts how often rules were applied there, so each frame is decided once, in
 * order; frames that nothing is needed of may be left out.
 *
 * @since 0.1.0
 * @category models
 */
export interface PlanLane {
  needs(next: { readonly index: number; readonly bytesBefore: number }): PlanNeeds
  decide(frame: PlanFrame): FrameDecision
  /** Whether a rule that may still be applied here changes how many bytes there are. */
  mayChangeLength(): boolean
}

/**
 * A plan that runs. Rules that are added or removed count for the frames that are decided from then on.
 *
 * @since 0.1.0
 * @category models
 */
export interface FaultPlan {
  rules(): ReadonlyArray<FaultRule>
  /** Changes with the rules. */
  revision(): number
  /** Puts a rule behind the others. **Fails** with `InvalidOption` when there is one of its id. */
  add(rule: FaultRule): void
  /** Gives whether there was one. */
  remove(id: string): boolean
  /** Puts other rules in the place of all. */
  replace(program: FaultProgram): void
  /** `connection` counts from 1, in the order in which they were accepted. */
  lane(place: { readonly direction: Direction; readonly connection: number }): PlanLane
}

/** Chance, and how the framing has its lengths rewritten. */
export interface PlanTerms {
  /** Asked under labels of rule, connection, direction and index; `labelledChoice` makes the order of asking immaterial. */
  readonly choice: Choice
  readonly rewriteLength: RewriteLength
}

/**
 * Makes a running plan of rules.
 *
 * **Source** agent-harness.md, section 6.3
 *
 * @since 0.1.0
 * @category constructors
 */
export const compilePlan = (program: FaultProgram, terms: PlanTerms): FaultPlan => {
  let rules = program.rules
  let revision = 0
  const change = (changed: ReadonlyArray<FaultRule>): void => {
    rules = changed
    revision += 1
  }
  return {
    rules: () => rules,
    revision: () => revision,
    add(rule) {
      if (rules.some(({ id }) => id === rule.id))
        throw new InvalidOption(`the fault plan has a rule ${describe(rule.id)}; remove it first, or give another id`)
      // A copy, so that what was applied of a rule that was removed is not counted for it.
      change([...rules, { ...rule }])
    },
    remove(id) {
      const kept = rules.filter((rule) => rule.id !== id)
      if (kept.length === rules.length) return false
      change(kept)
      return true
    },
    replace: (other) => change(other.rules.map((rule) => ({ ...rule }))),
    lane: (place) => makeLane(() => rules, place, terms)
  }
}

const makeLane = (
  rulesNow: () => ReadonlyArray<FaultRule>,
  { direction, connection }: { readonly direction: Direction; readonly connection: number },
  { choice, rewriteLength }: PlanTerms
): PlanLane => {
  const applied = new WeakMap<FaultRule, number>()
  /** How many frames there were for which everything but their number among those holds. */
  const met = new WeakMap<FaultRule, number>()
  let isAwaited = false

  const isOpen = (rule: FaultRule): boolean =>
    (rule.direction === "both" || rule.direction === direction) &&
    (rule.connection === null || isWithin(rule.connection, connection)) &&
    (rule.times === null || (applied.get(rule) ?? 0) < rule.times) &&
    (rule.match.nth === null || rule.match.nth.to === null || (met.get(rule) ?? 0) < rule.match.nth.to)

  /** Whether the frame, for which everything else holds, is one of those that are counted. */
  const isCounted = (rule: FaultRule): boolean => {
    const { nth } = rule.match
    if (nth === null) return true
    const number = (met.get(rule) ?? 0) + 1
    met.set(rule, number)
    return isWithin(nth, number)
  }

  const decide = (frame: PlanFrame): FrameDecision => {
    const labelOf = (what: string, { id }: FaultRule): string =>
      `proxy/${what}/${id}/${connection}/${direction}/${frame.index}`
    const known = askedOnce(frame)
    const matching = rulesNow().filter(
      (rule) =>
        isOpen(rule) &&
        matches(rule.match, known) &&
        isCounted(rule) &&
        happens(choice, rule.match.probability, labelOf("chance", rule))
    )
    for (const rule of matching) applied.set(rule, (applied.get(rule) ?? 0) + 1)
    const decision = decideFrame(matching, frame, { choice, rewriteLength, labelOf, isAwaited })
    isAwaited = decision.kind === "forward" && decision.isPostponed
    return decision
  }

  return {
    decide,
    mayChangeLength: () => rulesNow().some((rule) => isOpen(rule) && changesLength(rule.action)),
    needs({ index, bytesBefore }) {
      const open = rulesNow().filter(
        (rule) => isOpen(rule) && (rule.match.byteOffset === null || rule.match.byteOffset >= bytesBefore)
      )
      const nexts = open.map(({ match }) => nextMatching(match, index))
      const isNow = nexts.map((next) => next === index)
      if (open.some(({ match }, place) => isNow[place] && needsContent(match))) return { kind: "content" }
      if (isAwaited || isNow.includes(true)) return { kind: "frame" }
      const coming = nexts.filter((next) => next !== null)
      return { kind: "nothing", until: coming.length === 0 ? null : Math.min(...coming) }
    }
  }
}

/** A frame that changes places may leave the body that it is in. */
const lengthActions: ReadonlyArray<ActionType> = ["drop", "duplicate", "truncateBody", "inject", "reorder"]

const changesLength = ({ type }: FaultAction): boolean => lengthActions.includes(type)

/** Decodes the content no more than once for all rules. */
const askedOnce = (frame: PlanFrame): PlanFrame => {
  let asked: { readonly content: unknown } | null = null
  return {
    ...frame,
    content: () => {
      asked ??= { content: frame.content() }
      return asked.content
    }
  }
}
