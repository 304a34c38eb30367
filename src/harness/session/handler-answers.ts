import { member } from "../../domain/json.ts"
import type { RequestAnswer } from "./agent-request.ts"

/** Error codes that built-in handlers answer with. */
const invalidParams = -32_602
const notFound = -32_002

export const result = (value: unknown): RequestAnswer => ({ kind: "result", result: value })

/** The parameters are not what they have to be. */
export const invalid = (message: string): RequestAnswer => refusal(invalidParams, message)

/** What is asked for is not there. */
export const missing = (message: string): RequestAnswer => refusal(notFound, message)

const refusal = (code: number, message: string): RequestAnswer => ({
  kind: "refusal",
  error: { code, message, data: undefined }
})

/** A member that has to be a text, `null` when it is none. */
export const textMember = (params: unknown, name: string): string | null => {
  const value = member(params, name)
  return typeof value === "string" ? value : null
}

/** A member that is a whole number from `least` on; `fallback` when it is not there, `null` when it is something else. */
export const countMember = (
  params: unknown,
  name: string,
  { least, fallback }: { readonly least: number; readonly fallback: number }
): number | null => {
  const value = member(params, name) ?? fallback
  if (value === fallback) return fallback
  return typeof value === "number" && Number.isInteger(value) && value >= least ? value : null
}
