import type { AgentProfile } from "../harness/profile/agent-profile.ts"
import type { AgentSession } from "../harness/session/agent-session.ts"
import type { WaitOptions } from "../harness/session/wait-options.ts"
import type { AgentAsked } from "./agent-options.ts"

/** What is asked of an agent until it has a session. */
export type OpeningCalls = Pick<AgentSession, "initialize" | "createSession" | "createSessionWithModel" | "setModel">

/** What a session is opened with. */
export interface Opening {
  readonly asked: Pick<AgentAsked, "model" | "timeoutMs">
  readonly profile: Pick<AgentProfile, "acp">
  readonly cwd: string
  /** Told when `initialize` was answered. */
  readonly initialized: () => void
}

/**
 * Opens a session with the model that was asked for, chosen as the profile says. Each call has the limit that was asked for, else the
 * usual one.
 *
 * **Gives** the id of the session
 * **Fails** as the calls do, with `RequestTimeout` at the limit
 *
 * @since 0.1.0
 * @category sessions
 */
export const openAgentSession = async (
  agent: OpeningCalls,
  { asked: { model, timeoutMs }, profile, cwd, initialized }: Opening
): Promise<string> => {
  const wait: WaitOptions = timeoutMs === undefined ? {} : { deadlineMs: timeoutMs }
  await agent.initialize(wait)
  initialized()
  const selection = profile.acp?.modelSelection ?? "none"
  if (model === undefined || selection === "none" || "env" in selection)
    return (await agent.createSession(cwd, wait)).sessionId
  if ("newSessionMeta" in selection) return (await agent.createSessionWithModel(cwd, model, wait)).sessionId
  const { sessionId } = await agent.createSession(cwd, wait)
  const chosen = await agent.setModel(sessionId, model, wait)
  if (!chosen.ok) throw chosen.error
  return sessionId
}
