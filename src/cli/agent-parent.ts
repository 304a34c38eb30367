import { thisProcess } from "../live/parent-process.ts"
import type { ParentProcess } from "../ports/parent-process.ts"
import type { CommandIo } from "./command-io.ts"

/** The variable that names the fake agent of this package. */
const ownVariable = "FIXTURE_AGENT_BINARY"

/**
 * This process as the parent of agents. The fake agent is this very command, wherever it was started from.
 *
 * @since 0.1.0
 * @category layers
 */
export const agentParent = ({ program }: Pick<CommandIo, "program">): ParentProcess => {
  const parent = thisProcess()
  const isNamed = (parent.variables[ownVariable] ?? "") !== ""
  return program === undefined || isNamed
    ? parent
    : { ...parent, variables: { ...parent.variables, [ownVariable]: program } }
}
