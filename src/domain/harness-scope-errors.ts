import { HarnessError, type HarnessErrorOptions } from "./harness-error.ts"

/**
 * An agent asked for a permission that the test's script had no answer for.
 *
 * @since 0.1.0
 * @category errors
 */
export class PermissionScriptError extends HarnessError {
  readonly _tag = "PermissionScriptError"
  constructor(message: string, options?: HarnessErrorOptions) {
    super("PermissionScriptError", message, options)
  }
}

/**
 * What was asked for is something that this agent, platform or connection cannot do.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnsupportedControl extends HarnessError {
  readonly _tag = "UnsupportedControl"
  constructor(message: string, options?: HarnessErrorOptions) {
    super("UnsupportedControl", message, options)
  }
}

/**
 * A leader was started and did not become ready within its time.
 *
 * @since 0.1.0
 * @category errors
 */
export class LeaderNotReady extends HarnessError {
  readonly _tag = "LeaderNotReady"
  constructor(message: string, options?: HarnessErrorOptions) {
    super("LeaderNotReady", message, options)
  }
}

/**
 * A leader cannot be replaced while clients of it are running.
 *
 * @since 0.1.0
 * @category errors
 */
export class LeaderClientsActive extends HarnessError {
  readonly _tag = "LeaderClientsActive"
  readonly count: number
  constructor(message: string, options: { readonly count: number } & HarnessErrorOptions) {
    super("LeaderClientsActive", message, options)
    this.count = options.count
  }
}

/**
 * The leader that was spoken to is gone.
 *
 * @since 0.1.0
 * @category errors
 */
export class LeaderGone extends HarnessError {
  readonly _tag = "LeaderGone"
  constructor(message: string, options?: HarnessErrorOptions) {
    super("LeaderGone", message, options)
  }
}

/**
 * The path of a socket is longer than its platform allows.
 *
 * @since 0.1.0
 * @category errors
 */
export class PathTooLong extends HarnessError {
  readonly _tag = "PathTooLong"
  readonly bytes: number
  readonly limit: number
  constructor(path: string, options: { readonly bytes: number; readonly limit: number } & HarnessErrorOptions) {
    super(
      "PathTooLong",
      `the path of a socket has ${options.bytes} bytes, and at most ${options.limit} are allowed: ${path}`,
      options
    )
    this.bytes = options.bytes
    this.limit = options.limit
  }
}

/**
 * A proxy could not listen.
 *
 * @since 0.1.0
 * @category errors
 */
export class ProxyBindFailed extends HarnessError {
  readonly _tag = "ProxyBindFailed"
  constructor(message: string, options?: HarnessErrorOptions) {
    super("ProxyBindFailed", message, options)
  }
}

/**
 * A proxy ended by an error of its own.
 *
 * @since 0.1.0
 * @category errors
 */
export class ProxyFailed extends HarnessError {
  readonly _tag = "ProxyFailed"
  constructor(message: string, options?: HarnessErrorOptions) {
    super("ProxyFailed", message, options)
  }
}

/**
 * Not everything that was opened could be closed.
 *
 * @since 0.1.0
 * @category errors
 */
export class CleanupFailed extends HarnessError {
  readonly _tag = "CleanupFailed"
  /** What went wrong, in the order in which it did. */
  readonly parts: ReadonlyArray<Error>
  constructor(parts: ReadonlyArray<Error>, options?: HarnessErrorOptions) {
    super("CleanupFailed", ["cleaning up failed:", ...parts.map(({ message }) => `  ${message}`)].join("\n"), options)
    this.parts = parts
  }
}

/**
 * Something was left behind that should be gone.
 *
 * @since 0.1.0
 * @category errors
 */
export class ResourceLeak extends HarnessError {
  readonly _tag = "ResourceLeak"
  /** One line each. */
  readonly items: ReadonlyArray<string>
  constructor(items: ReadonlyArray<string>, options?: HarnessErrorOptions) {
    super("ResourceLeak", ["left behind:", ...items.map((item) => `  ${item}`)].join("\n"), options)
    this.items = items
  }
}

/**
 * What was waited for was given up by the test, or by the end of its scope.
 *
 * @since 0.1.0
 * @category errors
 */
export class Cancelled extends HarnessError {
  readonly _tag = "Cancelled"
  constructor(message: string, options?: HarnessErrorOptions) {
    super("Cancelled", message, options)
  }
}
