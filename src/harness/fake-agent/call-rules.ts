import type { FakeAct, FakeRule } from "./script.ts"

/** What comes over a call: a delay, and what happens then; `null` when it is answered. */
export interface Verdict {
  readonly delayMs: number
  readonly act: Exclude<FakeAct, { readonly kind: "delay" }> | null
}

/**
 * What the rules of a script say to a call: when it arrives, or when so many chunks of its answer are out.
 *
 * @since 0.1.0
 * @category models
 */
export const verdictOn = (
  rules: ReadonlyArray<FakeRule>,
  { method, call, afterChunks }: { readonly method: string; readonly call: number; readonly afterChunks: number | null }
): Verdict => {
  let delayMs = 0
  let act: Verdict["act"] = null
  for (const rule of rules) {
    const isMeant = (rule.method === "*" || rule.method === method) && (rule.call === null || rule.call === call)
    if (!isMeant || rule.afterChunks !== afterChunks) continue
    if (rule.does.kind === "delay") delayMs += rule.does.ms
    else act ??= rule.does
  }
  return { delayMs, act }
}
