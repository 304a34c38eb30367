import { canonicalJson } from "../../domain/canonical-json.ts"
import { jsonText, member } from "../../domain/json.ts"
import { valueAt } from "../../domain/json-pointer.ts"
import type { FrameMatch, Span } from "./fault-program.ts"
import type { PlanFrame } from "./plan-frame.ts"

export const isWithin = ({ from, to }: Span, place: number): boolean => place >= from && (to === null || place <= to)

/** Whether everything but chance holds for a frame. */
export const matches = (match: FrameMatch, frame: PlanFrame): boolean =>
  nextMatching(match, frame.index) === frame.index &&
  matchesBytes(match, frame) &&
  (match.kind === null || match.kind === frame.kind) &&
  (!needsContent(match) || matchesContent(match, frame.content()))

const matchesBytes = ({ byteOffset }: FrameMatch, { bytesBefore, totalBytes }: PlanFrame): boolean =>
  byteOffset === null || (byteOffset >= bytesBefore && byteOffset < bytesBefore + totalBytes)

/** Whether a rule cannot tell without the decoded frame. */
export const needsContent = ({ method, where, test }: FrameMatch): boolean =>
  method !== null || where !== null || test !== null

const matchesContent = ({ method, where, test }: FrameMatch, content: unknown): boolean => {
  if (content === undefined) return false
  if (method !== null && member(content, "method") !== method) return false
  for (const [pointer, wanted] of where ?? []) {
    const value = valueAt(content, pointer)
    if (value === undefined || !isSame(value, wanted)) return false
  }
  return test === null || test(content)
}

const isSame = (value: unknown, wanted: unknown): boolean => {
  const found = jsonText(value)
  const sought = jsonText(wanted)
  // Canonical, as the order of members is nobody's intent.
  return found !== undefined && sought !== undefined && canonicalJson(found) === canonicalJson(sought)
}

/** The next index, `index` or above, that a match may be about; `null` when there is none. */
export const nextMatching = ({ index: only, range, every }: FrameMatch, index: number): number | null => {
  const last = Math.min(only ?? Number.POSITIVE_INFINITY, range?.to ?? Number.POSITIVE_INFINITY)
  const least = Math.max(index, 1, only ?? 1, range?.from ?? 1)
  const next = every === null ? least : nextStep(every, least)
  return next <= last ? next : null
}

const nextStep = ({ step, first }: { readonly step: number; readonly first: number }, least: number): number =>
  least <= first ? first : first + Math.ceil((least - first) / step) * step
