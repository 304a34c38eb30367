import { shortDiagnostics } from "./short-diagnostics.ts"

/** The tags of every error that the harness knows; the set is closed. Source: agent-harness.md, appendix B. */
export const harnessErrorTags = [
  "ProfileInvalid",
  "BinaryNotFound",
  "BuildFailed",
  "SandboxError",
  "SpawnFailed",
  "SpawnCwdMissing",
  "KillTimeout",
  "AgentInputClosed",
  "AgentClosed",
  "AgentError",
  "RequestTimeout",
  "WaitTimeout",
  "ProtocolViolation",
  "FrameTooLarge",
  "PermissionScriptError",
  "UnsupportedControl",
  "LeaderNotReady",
  "LeaderClientsActive",
  "LeaderGone",
  "PathTooLong",
  "ProxyBindFailed",
  "ProxyFailed",
  "CleanupFailed",
  "ResourceLeak",
  "Cancelled"
] as const

/** @since 0.1.0 @category errors */
export type HarnessErrorTag = (typeof harnessErrorTags)[number]

/** What every error of the harness may carry besides its own members. */
export interface HarnessErrorOptions {
  /** What was known of the agent's process, sanitised; the message ends with it, and shows the last 2,000 characters of each stream. */
  readonly diagnostics?: string
  readonly cause?: unknown
}

/**
 * What all errors of the harness have in common: a tag of a closed set, and what was known of the agent's process. What an agent wrote
 * may hold a key: its own words are accessors, which are read by name and printed by nobody.
 *
 * @since 0.1.0
 * @category errors
 */
export abstract class HarnessError extends Error {
  abstract readonly _tag: HarnessErrorTag
  /** What was known of the agent's process, sanitised; empty where no process was concerned. */
  readonly diagnostics: string
  /** `tag` again, because a base class cannot read a member of the class that extends it. */
  constructor(tag: HarnessErrorTag, message: string, { diagnostics = "", ...options }: HarnessErrorOptions = {}) {
    super(diagnostics === "" ? message : `${message}\n${shortDiagnostics(diagnostics)}`, options)
    this.name = tag
    this.diagnostics = diagnostics
  }
  /** What may be printed. Runners that would look for accessors as well, as vitest does, ask for it. */
  toJSON(): Readonly<Record<string, unknown>> {
    return { ...Object.fromEntries(Object.entries(this)), name: this.name, message: this.message }
  }
}

/**
 * Whether a value is an error of the harness, and of one tag where that is given.
 *
 * @since 0.1.0
 * @category guards
 */
export const isHarnessError = (value: unknown, tag?: HarnessErrorTag): value is HarnessError =>
  value instanceof HarnessError && (tag === undefined || value._tag === tag)
