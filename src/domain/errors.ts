/**
 * An unsettled expectation already has this name.
 *
 * @since 0.1.0
 * @category errors
 */
export class DuplicateExpectation extends Error {
  readonly _tag = "DuplicateExpectation"
  readonly expectation: string
  constructor(expectation: string) {
    super(`duplicate inference expectation name \`${expectation}\``)
    this.name = "DuplicateExpectation"
    this.expectation = expectation
  }
}

/**
 * A scripted response or its barriers cannot be served; thrown where it was registered, before anything changed.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidScript extends Error {
  readonly _tag = "InvalidScript"
  constructor(message: string) {
    super(message)
    this.name = "InvalidScript"
  }
}

/**
 * An option or argument is out of its range; thrown before anything changed.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidOption extends Error {
  readonly _tag = "InvalidOption"
  constructor(message: string) {
    super(message)
    this.name = "InvalidOption"
  }
}

/**
 * An expectation was not satisfied when it had to be, or can no longer reach the phase that was waited for.
 *
 * @since 0.1.0
 * @category errors
 */
export class ExpectationFailed extends Error {
  readonly _tag = "ExpectationFailed"
  readonly expectation: string
  readonly phase: string
  constructor(message: string, options: { readonly expectation: string; readonly phase: string }) {
    super(message)
    this.name = "ExpectationFailed"
    this.expectation = options.expectation
    this.phase = options.phase
  }
}

/**
 * A server was left with scripts that nobody took, or got requests that nothing was scripted for.
 *
 * @since 0.1.0
 * @category errors
 */
export class VerificationFailed extends Error {
  readonly _tag = "VerificationFailed"
  /** One line each. */
  readonly leftovers: ReadonlyArray<string>
  constructor(leftovers: ReadonlyArray<string>) {
    super(`the mock server was left with:\n${leftovers.map((leftover) => `  ${leftover}`).join("\n")}`)
    this.name = "VerificationFailed"
    this.leftovers = leftovers
  }
}

/**
 * A call that a test held in its hand has been answered already, or its client has left.
 *
 * @since 0.1.0
 * @category errors
 */
export class CallSettled extends Error {
  readonly _tag = "CallSettled"
  constructor(message: string) {
    super(message)
    this.name = "CallSettled"
  }
}

/**
 * A wait ended because the server closed before what was waited for came.
 *
 * @since 0.1.0
 * @category errors
 */
export class WaitEnded extends Error {
  readonly _tag = "WaitEnded"
  constructor(message: string) {
    super(message)
    this.name = "WaitEnded"
  }
}

/**
 * The server could not start: the address was taken or refused, or nothing answered in time.
 *
 * @since 0.1.0
 * @category errors
 */
export class StartFailed extends Error {
  readonly _tag = "StartFailed"
  constructor(message: string, options?: { readonly cause: unknown }) {
    super(message, options)
    this.name = "StartFailed"
  }
}
