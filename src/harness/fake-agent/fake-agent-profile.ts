import { anyText, checkOption, listOf, members, type OptionCheck, someText } from "../../domain/option-checks.ts"
import type { AgentProfile } from "../profile/agent-profile.ts"
import { builtInProfile } from "../profile/built-in-profiles.ts"

/** What the fake agent of this package does when it is started. */
export interface FakeAgentChoice {
  /** The path of a script, as `understudy fake-agent --script` reads it. */
  readonly script?: string
  /** The path of a recording, whose agent it is. */
  readonly recording?: string
  /** Other options of `understudy fake-agent`; `{workspace}` and the other folders of the sandbox may stand in them. */
  readonly args?: ReadonlyArray<string>
}

/**
 * The profile `fixture` with options: an agent for tests of clients, harnesses and tools, which does what it is told.
 *
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category constructors
 */
export const fakeAgent = (choice: FakeAgentChoice = {}): AgentProfile => {
  checkOption(members(rows), choice)
  const { script, recording, args = [] } = choice
  const profile = builtInProfile("fixture")
  const added = [
    ...(script === undefined ? [] : [`--script=${script}`]),
    ...(recording === undefined ? [] : [`--replay=${recording}`]),
    ...args
  ]
  const { acp, headless } = profile
  return {
    ...profile,
    acp: acp === null ? null : { ...acp, args: [...acp.args, ...added] },
    headless: headless === null ? null : { ...headless, args: [...headless.args, ...added] }
  }
}

const rows: Readonly<Record<keyof FakeAgentChoice, OptionCheck>> = {
  script: someText,
  recording: someText,
  args: listOf(anyText)
}
