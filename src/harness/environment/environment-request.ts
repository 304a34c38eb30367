import type { ParentProcess } from "../../ports/parent-process.ts"
import type { AgentProfile, TextMap } from "../profile/agent-profile.ts"

/** Absolute paths of a sandbox. Source: agent-harness.md, section 1.3. */
export interface SandboxPaths extends Readonly<Record<string, string>> {
  readonly root: string
  readonly home: string
  readonly stateDir: string
  readonly workspace: string
  readonly temp: string
}

/** One change to the variables of a sandbox or of a process; later ones win. */
export type EnvironmentChange =
  | { readonly kind: "set"; readonly name: string; readonly value: string }
  | { readonly kind: "extend"; readonly values: TextMap }
  | { readonly kind: "remove"; readonly name: string }
  /** Points the variables of the mock, and no others, at this URL. */
  | { readonly kind: "mock"; readonly wiring: MockWiring }

/** Where the mock is. */
export interface MockWiring {
  /** With its `/v1`, if it has one. */
  readonly mockUrl: string
  readonly mockOrigin: string
  readonly apiKey: string
}

/** Everything that the environment of a child follows from. */
export interface EnvironmentRequest {
  readonly parent: ParentProcess
  readonly paths: SandboxPaths
  readonly profile: AgentProfile
  /** What was done to the sandbox, in order. */
  readonly changes: ReadonlyArray<EnvironmentChange>
  /** The mark by which descendants are found again; `null` for a child that needs none. */
  readonly ownerMark: string | null
  /** What this one process has of its own. */
  readonly ofProcess: ReadonlyArray<EnvironmentChange>
}
