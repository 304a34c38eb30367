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

/** Whether it is an error of the system with this code, such as `EEXIST`. */
export const hasCode = (error: unknown, code: string): boolean =>
  typeof error === "object" && error !== null && "code" in error && error.code === code
