import { isErrorLike, withCauses } from "../domain/error-like.ts"
import { describe } from "../domain/json.ts"

/**
 * How a run ended. Two failures are the same when their signatures are.
 *
 * @since 0.1.0
 * @category exploring
 */
export type Outcome =
  | {
      readonly type: "ok"
      /** What tells two runs apart, as `SimKernel.hash()` gives it. */
      readonly hash?: string
    }
  | { readonly type: "failed"; readonly signature: string; readonly message: string; readonly hash?: string }

const signatureLengthMax = 200

/**
 * The outcome of a run that threw. For the signature count the kind of error and the first line of its message, without numbers and
 * texts in quotes: times, ids and data change from run to run. What is behind the error is
 * told, and counts for nothing.
 */
export const thrownOutcome = (error: unknown): Outcome => {
  const message = messageOf(error)
  return { type: "failed", signature: signatureOf(error, message), message: withCauses(message, error) }
}

const messageOf = (error: unknown): string => {
  if (isErrorLike(error)) return error.message === "" ? `${error.name}, which says nothing` : error.message
  return typeof error === "string" && error !== "" ? error : `thrown: ${describe(error)}`
}

/** An apostrophe inside of a word quotes nothing. */
const quoted = /(^|[\s([{:,=])(?:"[^"]*"|'[^']*'|`[^`]*`)/g

const signatureOf = (error: unknown, message: string): string => {
  const line = brokenLaw(error) ?? message.split("\n", 1)[0] ?? ""
  const shape = `${kindOf(error)}: ${line.replace(quoted, '$1""').replace(/\d+(?:\.\d+)?/g, "#")}`
  return shape.slice(0, signatureLengthMax)
}

/** A law that was broken says by itself which failure that is; `null` of other errors. */
const brokenLaw = (error: unknown): string | null =>
  isErrorLike(error) &&
  kindOf(error) === "OracleViolated" &&
  "signature" in error &&
  typeof error.signature === "string"
    ? error.signature
    : null

/** An error of ours says by its tag what it is. */
const kindOf = (error: unknown): string => {
  if (!isErrorLike(error)) return "thrown"
  return "_tag" in error && typeof error._tag === "string" ? error._tag : error.name
}
