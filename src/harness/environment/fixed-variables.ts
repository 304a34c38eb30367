import { filePathsOf } from "../../domain/file-paths.ts"
import type { AgentProfile, TextMap } from "../profile/agent-profile.ts"
import { fillTemplate } from "../profile/template.ts"
import type { SandboxPaths } from "./environment-request.ts"

/**
 * The variables that every child has, whatever its parent has, and those that its profile adds: where its state is, and
 * what is switched off.
 *
 * **Source** agent-harness.md, section 1.4.3
 *
 * @since 0.1.0
 * @category models
 */
export const fixedVariables = (platform: string, paths: SandboxPaths, { sandbox }: AgentProfile): TextMap => ({
  HOME: paths.home,
  USERPROFILE: paths.home,
  TMPDIR: paths.temp,
  TMP: paths.temp,
  TEMP: paths.temp,
  OTEL_SDK_DISABLED: "true",
  DISABLE_TELEMETRY: "1",
  DISABLE_FEEDBACK_COMMAND: "1",
  NO_PROXY: loopback,
  no_proxy: loopback,
  GIT_CONFIG_NOSYSTEM: "1",
  // The file need not exist.
  GIT_CONFIG_GLOBAL: filePathsOf(platform).join(paths.stateDir, "gitconfig"),
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "",
  GIT_LFS_SKIP_SMUDGE: "1",
  PAGER: pager(platform),
  GIT_PAGER: pager(platform),
  ...Object.fromEntries(
    Object.entries(sandbox.homeEnv).map(([name, template]) => [name, fillTemplate(template, paths)])
  ),
  ...sandbox.killSwitches
})

const loopback = "127.0.0.1,localhost,::1"

const pager = (platform: string): string => (platform === "win32" ? "" : "cat")

/**
 * The variables that keep a child from asking a person; every child has them.
 *
 * **Source** agent-harness.md, section 1.4.4
 *
 * @since 0.1.0
 * @category models
 */
export const nonInteractiveVariables = (platform: string): TextMap => ({
  PAGER: pager(platform),
  GIT_PAGER: pager(platform),
  GH_PAGER: pager(platform),
  MANPAGER: pager(platform),
  SYSTEMD_PAGER: pager(platform),
  AWS_PAGER: "",
  // Git itself takes ":" for an editor that changes nothing, where there may be no program called true.
  GIT_EDITOR: platform === "win32" ? ":" : "true",
  GIT_SEQUENCE_EDITOR: platform === "win32" ? ":" : "true",
  GIT_TERMINAL_PROMPT: "0",
  GPG_TTY: ""
})

/** What git commands of the harness itself get in addition. Source: agent-harness.md, section 1.4.4. */
export const ownGitVariables: TextMap = {
  GIT_ASKPASS: "",
  GIT_LFS_SKIP_SMUDGE: "1",
  GIT_SSH_COMMAND: "ssh -o BatchMode=yes"
}
