/** Variables of a process, as it was started with them. */
export type ProcessVariables = Readonly<Record<string, string | undefined>>

/**
 * The process that starts children: what they get of it is decided by an allowlist.
 *
 * @since 0.1.0
 * @category services
 */
export interface ParentProcess {
  /** As `process.platform` names it. */
  readonly platform: string
  readonly variables: ProcessVariables
  /** Its working directory, an absolute path. */
  readonly cwd: string
}
