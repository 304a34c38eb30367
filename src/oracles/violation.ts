/**
 * What an oracle found in a run. `at` is virtual time in milliseconds: of the event, or of the deadline that passed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Violation {
  readonly oracle: string
  readonly shape: string
  readonly message: string
  readonly at: number
  /** How many events had been seen, the last of them being the one that showed it. */
  readonly events: number
  /** What the oracle itself threw. */
  readonly cause?: unknown
}

/**
 * Which failure it is, in every schedule that has it: no ids, names or times. Shrinking keeps to it.
 *
 * @since 0.1.0
 * @category models
 */
export interface FailureSignature {
  readonly oracle: string
  readonly shape: string
}

export const signatureOf = ({ oracle, shape }: FailureSignature): FailureSignature => ({ oracle, shape })

export const isSameFailure = (one: FailureSignature, other: FailureSignature): boolean =>
  one.oracle === other.oracle && one.shape === other.shape

/** The signature in one line. */
export const signatureText = ({ oracle, shape }: FailureSignature): string => `${oracle}: ${shape}`

/** The signature in one line as people read it: where the message is what the signature was made of, with its numbers and names. */
const headline = ({ oracle, shape, message }: Violation): string =>
  signatureText({ oracle, shape: shapeOf(message) === shape ? (message.split("\n", 1)[0] ?? "") : shape })

/** What was found and when, in one line. */
export const violationText = ({ oracle, at, message }: Violation): string => `at ${at} ms, ${oracle}: ${message}`

/** A text without what changes from run to run: quoted names become `""` and numbers `#`. */
export const shapeOf = (text: string): string =>
  (text.split("\n", 1)[0] ?? "").replace(/"[^"]*"|`[^`]*`/g, '""').replace(/\d+(?:\.\d+)?/g, "#")

/**
 * A run broke what holds for all runs. The first line of its message says which law was broken first, and how.
 *
 * What an oracle threw is the `cause`.
 *
 * @since 0.1.0
 * @category errors
 */
export class OracleViolated extends Error {
  readonly _tag = "OracleViolated"
  readonly violations: ReadonlyArray<Violation>
  /** Which failure it is, without what changes from run to run: law and shape of the first violation. */
  readonly signature: string
  constructor(first: Violation, others: ReadonlyArray<Violation> = []) {
    const violations = [first, ...others]
    super([headline(first), ...violations.map(violationText)].join("\n"), causeOf(violations))
    this.name = "OracleViolated"
    this.violations = violations
    this.signature = signatureText(first)
  }
}

const causeOf = (violations: ReadonlyArray<Violation>): ErrorOptions => {
  const thrown = violations.find((violation) => "cause" in violation)
  return thrown === undefined ? {} : { cause: thrown.cause }
}

/** Fails with `OracleViolated` when there is a violation. */
export const checkViolations = ([first, ...others]: ReadonlyArray<Violation>): void => {
  if (first !== undefined) throw new OracleViolated(first, others)
}
