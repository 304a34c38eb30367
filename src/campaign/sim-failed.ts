/**
 * A run of a simulated program failed. Its message says how, and how to have the run again; `cause` is what was thrown.
 *
 * @since 0.1.0
 * @category errors
 */
export class SimFailed extends Error {
  readonly _tag = "SimFailed"
  /** Gives the run again, by `replay`. */
  readonly token: string
  /** The file of its trace, for `npx llm-understudy explain`; `null` when none was written. */
  readonly trace: string | null
  constructor(
    message: string,
    options: { readonly token: string; readonly trace?: string | null; readonly cause: unknown }
  ) {
    super(message, { cause: options.cause })
    this.name = "SimFailed"
    this.token = options.token
    this.trace = options.trace ?? null
  }
}
