import { describe } from "./json.ts"

/** What one wants to know of an error. */
export interface ErrorLike {
  readonly name: string
  readonly message: string
  readonly cause?: unknown
}

/** Whether it is an error: in a context with globals of its own, one of Node is none of its `Error`. */
export const isErrorLike = (value: unknown): value is ErrorLike =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  typeof value.name === "string" &&
  "message" in value &&
  typeof value.message === "string"

/** What was thrown, as Node would print it, without its stack. */
export const thrownText = (thrown: unknown): string =>
  isErrorLike(thrown) ? `${thrown.name}: ${thrown.message}` : describe(thrown)

/** So many causes are told. */
const causesMax = 5

/**
 * A message with what was behind the error, each cause once: on its line, or under several lines. What the message has already is
 * not said again.
 */
export const withCauses = (message: string, error: unknown): string => {
  const told: Array<string> = []
  const met = new Set<unknown>()
  let one: unknown = error
  while (isErrorLike(one) && one.cause != null && !met.has(one)) {
    met.add(one)
    one = one.cause
    const text = isErrorLike(one) ? one.message : describe(one)
    if (text !== "" && ![message, ...told].some((before) => before.includes(text))) told.push(text)
  }
  // The innermost one says most.
  const shown = told.length > causesMax ? [...told.slice(0, causesMax - 1), ...told.slice(-1)] : told
  return shown.length === 0 ? message : `${message}${message.includes("\n") ? "\n" : " "}(${shown.join("; ")})`
}

/** Whether it is an error of the system with this code, such as `EEXIST`. */
export const hasCode = (error: unknown, code: string): boolean =>
  typeof error === "object" && error !== null && "code" in error && error.code === code
