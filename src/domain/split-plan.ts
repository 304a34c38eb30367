import type { Plan, WireStep } from "./plan.ts"

const utf8 = new TextEncoder()

/**
 * The same plan with every write cut into pieces of `bytes` bytes, regardless of characters and lines, each in a turn of
 * its own. The copy still settles before the first byte of the step that crosses.
 *
 * **Source** wire-formats.md, section 1.10
 *
 * @since 0.1.0
 * @category plans
 */
export const splitPlan = (plan: Plan, bytes: number): Plan => {
  const steps: Array<WireStep> = []
  let crossesAt = plan.crossesAt
  plan.steps.forEach((step, index) => {
    if (index === plan.crossesAt) crossesAt = steps.length
    if (step.kind === "write") for (const piece of cut(step, bytes)) steps.push(piece)
    else steps.push(step)
  })
  return { ...plan, steps, crossesAt: plan.crossesAt < plan.steps.length ? crossesAt : steps.length }
}

const cut = (step: Extract<WireStep, { readonly kind: "write" }>, bytes: number): ReadonlyArray<WireStep> => {
  const whole = typeof step.bytes === "string" ? utf8.encode(step.bytes) : step.bytes
  const steps: Array<WireStep> = []
  for (let at = 0; at < whole.byteLength; at += bytes) {
    const isLast = at + bytes >= whole.byteLength
    // An event counts when its last byte is out.
    const piece = { kind: "write", bytes: whole.subarray(at, at + bytes), events: isLast ? step.events : 0 } as const
    steps.push(step.isUnframed === true ? { ...piece, isUnframed: true } : piece)
    if (!isLast) steps.push({ kind: "pause", ms: 0 })
  }
  return steps
}
