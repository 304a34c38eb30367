import type { Choice } from "../../kernel/choice.ts"
import type { ActionType, FaultAction, FaultRule } from "./fault-program.ts"
import { badLength, corrupt, type FrameBytes, truncateBody } from "./frame-bytes.ts"
import type { FrameDecision, FrameWrite } from "./frame-decision.ts"
import { type PlanFrame, type RewriteLength, severPoint } from "./plan-frame.ts"
import { delayMsMax } from "./read-action.ts"
import { type Ending, endings } from "./rule-table.ts"

/** What decisions need besides rules and frame. */
export interface DecisionTerms {
  readonly choice: Choice
  readonly rewriteLength: RewriteLength
  /** The label of a draw of this rule for this frame; no other draw has it. */
  readonly labelOf: (what: string, rule: FaultRule) => string
  /** Whether an earlier frame waits for this one. */
  readonly isAwaited: boolean
}

/**
 * What becomes of a frame that these rules match: the precedence of `stages`.
 *
 * **Source** agent-harness.md, section 6.3
 *
 * @since 0.1.0
 * @category faults
 */
export const decideFrame = (rules: ReadonlyArray<FaultRule>, frame: PlanFrame, terms: DecisionTerms): FrameDecision => {
  if (rules.length === 0) return untouched(frame)
  const ids = rules.map(({ id }) => id)
  const actions = rules.map(({ action }) => action)
  if (actionsOf(actions, "drop").length > 0) return { kind: "drop", rules: ids }
  const [sever] = actionsOf(actions, "sever")
  if (sever !== undefined)
    return { kind: "sever", rules: ids, prefix: frame.bytes().subarray(0, severPoint(frame, sever.afterBytes)) }
  const rates = actionsOf(actions, "throttle").map(({ bytesPerSecond }) => bytesPerSecond)
  return {
    kind: "forward",
    rules: ids,
    isPostponed: actionsOf(actions, "reorder").length > 0 && !terms.isAwaited,
    barriers: [...new Set(actionsOf(actions, "hold").map(({ barrier }) => barrier))],
    delayMs: delayOf(rules, terms),
    writes: writesOf(actions, transformed(rules, frame, terms)),
    chunkSizes: actionsOf(actions, "splitWrites").at(-1)?.chunkSizes ?? null,
    bytesPerSecond: rates.length === 0 ? null : Math.min(...rates),
    ending: endingOf(actions)
  }
}

/** What most frames come to that rules look at: the same as below, without the making of lists that stay empty. */
const untouched = (frame: PlanFrame): FrameDecision => ({
  kind: "forward",
  rules: [],
  isPostponed: false,
  barriers: [],
  delayMs: 0,
  writes: [{ bytes: frame.bytes(), isCopy: true }],
  chunkSizes: null,
  bytesPerSecond: null,
  ending: null
})

const actionsOf = <Type extends ActionType>(
  actions: ReadonlyArray<FaultAction>,
  type: Type
): ReadonlyArray<Extract<FaultAction, { readonly type: Type }>> =>
  actions.filter((action): action is Extract<FaultAction, { readonly type: Type }> => action.type === type)

const transformed = (rules: ReadonlyArray<FaultRule>, frame: PlanFrame, terms: DecisionTerms): Uint8Array =>
  rules.reduce((made: FrameBytes, rule) => transform(made, rule, terms), {
    bytes: frame.bytes(),
    headerBytes: frame.headerBytes
  }).bytes

const transform = (frame: FrameBytes, rule: FaultRule, terms: DecisionTerms): FrameBytes => {
  const { action } = rule
  if (action.type === "truncateBody") return truncateBody(frame, action.keep)
  if (action.type === "badLength") return badLength(frame, action.value, terms.rewriteLength)
  if (action.type !== "corrupt") return frame
  return corrupt(frame, { xor: action.xor, offset: action.offset ?? drawnOffset(frame, rule, terms) })
}

/** A byte of the body; one behind the frame where it has no body, so that nothing changes. */
const drawnOffset = (
  { bytes, headerBytes }: FrameBytes,
  rule: FaultRule,
  { choice, labelOf }: DecisionTerms
): number => {
  const bodyBytes = bytes.length - headerBytes
  return headerBytes + (bodyBytes === 0 ? 0 : choice.draw(bodyBytes, labelOf("byte", rule)))
}

const delayOf = (rules: ReadonlyArray<FaultRule>, { choice, labelOf }: DecisionTerms): number => {
  const sum = rules.reduce((soFar, rule) => {
    const { action } = rule
    if (action.type === "delay") return soFar + action.ms
    if (action.type !== "latency") return soFar
    const jitterMs = action.jitterMs === 0 ? 0 : choice.draw(action.jitterMs + 1, labelOf("jitter", rule))
    return soFar + action.ms + jitterMs
  }, 0)
  return Math.min(sum, delayMsMax)
}

const writesOf = (actions: ReadonlyArray<FaultAction>, bytes: Uint8Array): ReadonlyArray<FrameWrite> => {
  const copies = Math.max(1, ...actionsOf(actions, "duplicate").map((action) => action.copies))
  const injected = (place: "before" | "after"): ReadonlyArray<FrameWrite> =>
    actionsOf(actions, "inject")
      .filter(({ at }) => at === place)
      .map((action) => ({ bytes: action.bytes, isCopy: false }))
  const copy: FrameWrite = { bytes, isCopy: true }
  return [...injected("before"), ...Array.from({ length: copies }, () => copy), ...injected("after")]
}

const endingOf = (actions: ReadonlyArray<FaultAction>): Ending | null =>
  endings.findLast((ending) => actionsOf(actions, ending).length > 0) ?? null
