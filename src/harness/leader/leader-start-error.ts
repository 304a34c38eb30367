import { exitStatusText } from "../../domain/exit-status.ts"
import { Cancelled, LeaderNotReady } from "../../domain/harness-scope-errors.ts"
import { shownLogMax } from "../../domain/leader-limits.ts"
import { stderrTail } from "../headless/headless-assertions.ts"
import { placedFailure } from "../sandbox/agent-start.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import type { FixtureActor } from "./leader-actor.ts"

/**
 * Why a leader did not become ready, with what it wrote, and with what went wrong when it was ended.
 *
 * @since 0.1.0
 * @category errors
 */
export const leaderStartError = (fixture: FixtureActor, sandbox: Sandbox): unknown => {
  const { data, snapshot } = fixture
  const { failure, status, readyMs } = snapshot.context
  const { options, process, stopFailure, home, logText, world } = data
  if (failure === "spawn") return placedFailure(data.spawnFailure, options.program, sandbox)
  if (failure === null || failure === "disposed")
    return new Cancelled(`${options.label} was given up before it was ready`)
  const who = `${options.label}, pid ${data.startedPid ?? "none"},`
  const what =
    failure === "exited" && status !== null
      ? `${who} ended with ${exitStatusText(status)} before it accepted connections on ${home.paths.socket}`
      : `${who} did not accept connections on ${home.paths.socket} within ${readyMs} ms`
  const log = stderrTail(world.redact(logText, options.environment), shownLogMax)
  const message = [
    log === "" ? `${what}; its log is empty` : `${what}; the end of its log:\n${log}`,
    ...(stopFailure === null ? [] : [`and it could not be ended: ${stopFailure.message}`])
  ].join("\n")
  return new LeaderNotReady(message, {
    diagnostics: process?.diagnostics() ?? "",
    ...(stopFailure === null ? {} : { cause: stopFailure })
  })
}
