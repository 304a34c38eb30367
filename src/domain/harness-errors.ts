import { clip } from "./clip.ts"
import type { ExitStatus } from "./exit-status.ts"
import { HarnessError, type HarnessErrorOptions } from "./harness-error.ts"

/**
 * A profile of an agent cannot be used: a field is unknown, missing, or holds what it may not.
 *
 * @since 0.1.0
 * @category errors
 */
export class ProfileInvalid extends HarnessError {
  readonly _tag = "ProfileInvalid"
  /** Where the fault is, as in `binary.env[0]`; empty for the profile as a whole. */
  readonly field: string
  constructor(message: string, options: { readonly field: string } & HarnessErrorOptions) {
    super("ProfileInvalid", message, options)
    this.field = options.field
  }
}

/**
 * No executable of the agent was found, or the one that was asked for does not exist.
 *
 * @since 0.1.0
 * @category errors
 */
export class BinaryNotFound extends HarnessError {
  readonly _tag = "BinaryNotFound"
  /** The path that does not exist, as it was given; `null` when no place held any. */
  readonly path: string | null
  constructor(message: string, options: { readonly path: string | null } & HarnessErrorOptions) {
    super("BinaryNotFound", message, options)
    this.path = options.path
  }
}

/**
 * The build of an agent failed, or ended well and left no executable.
 *
 * @since 0.1.0
 * @category errors
 */
export class BuildFailed extends HarnessError {
  readonly _tag = "BuildFailed"
  /** The code it exited with; `null` when a signal ended it. */
  readonly code: number | null
  readonly signal: string | null
  readonly #stdout: string
  readonly #stderr: string
  constructor(message: string, options: BuildOutcome & HarnessErrorOptions) {
    super("BuildFailed", message, options)
    this.code = options.code
    this.signal = options.signal
    this.#stdout = options.stdout
    this.#stderr = options.stderr
  }
  /** All that it wrote, as it came; not printed with the error. */
  get stdout(): string {
    return this.#stdout
  }
  /** The same of stderr. */
  get stderr(): string {
    return this.#stderr
  }
}

interface BuildOutcome {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * A sandbox could not be made, or something of it could not be removed.
 *
 * @since 0.1.0
 * @category errors
 */
export class SandboxError extends HarnessError {
  readonly _tag = "SandboxError"
  /** Paths that are still there; empty unless removal failed. */
  readonly leftovers: ReadonlyArray<string>
  constructor(message: string, options: { readonly leftovers?: ReadonlyArray<string> } & HarnessErrorOptions = {}) {
    super("SandboxError", message, options)
    this.leftovers = options.leftovers ?? []
  }
}

/**
 * The operating system refused to start a program.
 *
 * @since 0.1.0
 * @category errors
 */
export class SpawnFailed extends HarnessError {
  readonly _tag = "SpawnFailed"
  /** The code of the system, as in `EACCES`; `null` when it gave none. */
  readonly code: string | null
  constructor(message: string, options: { readonly code: string | null } & HarnessErrorOptions) {
    super("SpawnFailed", message, options)
    this.code = options.code
  }
}

/** So much of a path is shown. */
const shownPathMax = 300

/**
 * The working directory that a program was to start in does not exist.
 *
 * @since 0.1.0
 * @category errors
 */
export class SpawnCwdMissing extends HarnessError {
  readonly _tag = "SpawnCwdMissing"
  readonly cwd: string
  constructor(cwd: string, options?: HarnessErrorOptions) {
    super("SpawnCwdMissing", `the working directory does not exist: ${clip(cwd, shownPathMax)}`, options)
    this.cwd = cwd
  }
}

/**
 * A process was killed and was still there when the wait for its end was over.
 *
 * @since 0.1.0
 * @category errors
 */
export class KillTimeout extends HarnessError {
  readonly _tag = "KillTimeout"
  readonly ms: number
  constructor(label: string, options: { readonly ms: number } & HarnessErrorOptions) {
    super("KillTimeout", `${label} was killed and is still there after ${options.ms} ms`, options)
    this.ms = options.ms
  }
}

/**
 * Something was written to an agent that no longer reads its input.
 *
 * @since 0.1.0
 * @category errors
 */
export class AgentInputClosed extends HarnessError {
  readonly _tag = "AgentInputClosed"
  constructor(message: string, options?: HarnessErrorOptions) {
    super("AgentInputClosed", message, options)
  }
}

/**
 * An agent ended, or closed its output, while something was still expected of it.
 *
 * @since 0.1.0
 * @category errors
 */
export class AgentClosed extends HarnessError {
  readonly _tag = "AgentClosed"
  /** How it ended; `null` when it has not, or nobody knows. */
  readonly status: ExitStatus | null
  constructor(message: string, options: { readonly status?: ExitStatus | null } & HarnessErrorOptions = {}) {
    super("AgentClosed", message, options)
    this.status = options.status ?? null
  }
}

/**
 * An agent answered a request with an error of JSON-RPC.
 *
 * @since 0.1.0
 * @category errors
 */
export class AgentError extends HarnessError {
  readonly _tag = "AgentError"
  readonly code: number
  readonly #said: string
  readonly #data: unknown
  constructor(said: string, options: AgentErrorParts & HarnessErrorOptions) {
    super("AgentError", `${options.what} was answered with error ${options.code}: ${options.shown ?? said}`, options)
    this.code = options.code
    this.#said = said
    this.#data = options.data
  }
  /** What the agent said, as it came, without what we add to it; not printed with the error. */
  get said(): string {
    return this.#said
  }
  /** The member `data` of the error, as it came; `undefined` without one. Not printed with the error. */
  get data(): unknown {
    return this.#data
  }
}

interface AgentErrorParts {
  /** What was asked, as in `session/new`. */
  readonly what: string
  readonly code: number
  readonly data?: unknown
  /** What the agent said as it may be shown, where that is something else; for the message alone. */
  readonly shown?: string
}

interface LateParts {
  readonly ms: number
  /** What the message says, where more is known than that it is late. */
  readonly report?: string
}

/**
 * An agent did not answer a request within its time.
 *
 * @since 0.1.0
 * @category errors
 */
export class RequestTimeout extends HarnessError {
  readonly _tag = "RequestTimeout"
  readonly what: string
  readonly ms: number
  constructor(what: string, options: LateParts & HarnessErrorOptions) {
    super("RequestTimeout", options.report ?? `${what} was not answered within ${options.ms} ms`, options)
    this.what = what
    this.ms = options.ms
  }
}

/**
 * Something that was waited for did not come within its time.
 *
 * @since 0.1.0
 * @category errors
 */
export class WaitTimeout extends HarnessError {
  readonly _tag = "WaitTimeout"
  readonly what: string
  readonly ms: number
  constructor(what: string, options: LateParts & HarnessErrorOptions) {
    super("WaitTimeout", options.report ?? `waited ${options.ms} ms in vain for ${what}`, options)
    this.what = what
    this.ms = options.ms
  }
}

const shownLineMax = 200

/**
 * What an agent wrote breaks a rule of the protocol.
 *
 * @since 0.1.0
 * @category errors
 */
export class ProtocolViolation extends HarnessError {
  readonly _tag = "ProtocolViolation"
  /** The name of the rule. */
  readonly rule: string
  readonly #line: string
  constructor(rule: string, options: { readonly line: string } & HarnessErrorOptions) {
    super("ProtocolViolation", `the agent broke the rule "${rule}": ${clip(options.line, shownLineMax)}`, options)
    this.rule = rule
    this.#line = options.line
  }
  /** The line of the agent, whole; the message shows at most 200 characters of it. Not printed with the error. */
  get line(): string {
    return this.#line
  }
}

/**
 * A line or frame is longer than is read.
 *
 * @since 0.1.0
 * @category errors
 */
export class FrameTooLarge extends HarnessError {
  readonly _tag = "FrameTooLarge"
  /** How much is read, in bytes. */
  readonly limit: number
  /** How much there is, or was when reading stopped, in bytes. */
  readonly length: number
  constructor(what: string, options: { readonly limit: number; readonly length: number } & HarnessErrorOptions) {
    super("FrameTooLarge", `${what} has ${options.length} bytes; at most ${options.limit} are read`, options)
    this.limit = options.limit
    this.length = options.length
  }
}
