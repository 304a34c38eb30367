import { filePathsOf } from "../../domain/file-paths.ts"

/**
 * Where the four folders of a sandbox stand below its root.
 *
 * **Source** agent-harness.md, section 1.3
 *
 * @since 0.1.0
 * @category models
 */
export interface SandboxLayout extends Readonly<Record<string, string>> {
  readonly home: string
  readonly stateDir: string
  readonly workspace: string
  readonly temp: string
}

/** The layout for an agent whose state is in this folder below home. */
export const layoutOf = (platform: string, stateDir: string): SandboxLayout => ({
  home: "home",
  stateDir: filePathsOf(platform).join("home", stateDir),
  workspace: "workspace",
  temp: "tmp"
})
