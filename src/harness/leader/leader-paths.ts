import { filePathsOf } from "../../domain/file-paths.ts"
import { ProfileInvalid } from "../../domain/harness-errors.ts"
import { PathTooLong } from "../../domain/harness-scope-errors.ts"
import { pathBytes } from "../../domain/socket-path.ts"
import type { AgentProfile, ProfileLeader } from "../profile/agent-profile.ts"
import { fillTemplate } from "../profile/template.ts"

/** Where the files of a leader stand; absolute paths. */
export interface LeaderPaths {
  readonly socket: string
  readonly lock: string
  /** What the leader writes to stderr. */
  readonly log: string
  /** What the leader records, one JSON value a line. */
  readonly events: string
  /** What the leader knows of its user. */
  readonly auth: string
}

/** Whose home the leader of an agent lives in. */
export interface LeaderPlace {
  readonly profile: AgentProfile
  readonly home: string
  /** The socket, where it is another than the profile's; its lock stands beside it. */
  readonly socketPath?: string
}

/**
 * The leader of a profile.
 *
 * **Fails** with `ProfileInvalid` for an agent without one
 */
export const leaderOf = ({ leader, displayName }: AgentProfile): ProfileLeader => {
  if (leader === null) throw new ProfileInvalid(`${displayName} has no leader`, { field: "leader" })
  return leader
}

/**
 * Where the files of a leader stand; nothing is looked at.
 *
 * **Fails** with `ProfileInvalid` for an agent without a leader
 * **Source** agent-harness.md, section 5.1
 *
 * @since 0.1.0
 * @category models
 */
export const leaderPaths = ({ profile, home, socketPath }: LeaderPlace, platform: string): LeaderPaths => {
  const { join } = filePathsOf(platform)
  const { files } = leaderOf(profile)
  const inState = (name: string): string => join(home, profile.sandbox.stateDir, name)
  return {
    socket: socketPath ?? inState(files.socket),
    lock: socketPath === undefined ? inState(files.lock) : lockBeside(socketPath, platform),
    log: inState(files.log),
    events: inState(files.events),
    auth: inState(files.auth)
  }
}

const lockBeside = (socketPath: string, platform: string): string => {
  const { folderOf, join, nameOf } = filePathsOf(platform)
  return join(folderOf(socketPath), `${nameOf(socketPath).replace(/(?<=.)\.[^.]*$/, "")}.lock`)
}

/**
 * Where the lock file of a leader stands.
 *
 * @since 0.1.0
 * @category models
 */
export const leaderLockPath = (place: LeaderPlace, platform: string): string => leaderPaths(place, platform).lock

/** **Fails** with `PathTooLong` for a socket that no system of this kind could have. */
export const checkSocketPath = (path: string, limit: number): void => {
  const bytes = pathBytes(path)
  if (bytes > limit) throw new PathTooLong(path, { bytes, limit })
}

/** Arguments of a leader or of a client of it, with what is added to those of the profile. */
export const filledArguments = (
  templates: ReadonlyArray<string>,
  values: Readonly<Record<string, string>>,
  added: ReadonlyArray<string> = []
): ReadonlyArray<string> => [...templates.map((template) => fillTemplate(template, values)), ...added]
