import { relaunchGraceMs } from "../../domain/fake-leader-limits.ts"
import { member } from "../../domain/json.ts"
import { isOlderVersion } from "../../domain/semantic-version.ts"
import type { FakeLeaderPorts } from "./leader-ports.ts"
import type { FakeLeaderScript } from "./leader-script.ts"

/** What is answered to a command, and whether the leader is to make room for a newer one. */
export interface ControlAnswer {
  readonly result: { readonly Ok: unknown } | { readonly Err: { readonly code: string; readonly message: string } }
  readonly relaunches: boolean
}

/**
 * The answer to a command of a client.
 *
 * **Source** agent-harness.md, section 5.1
 *
 * @since 0.1.0
 * @category models
 */
export const answerControl = (
  { script, ports }: { readonly script: FakeLeaderScript; readonly ports: FakeLeaderPorts },
  command: unknown
): ControlAnswer => {
  const { version, capabilities } = script
  const type = member(command, "type")
  if (!capabilities.includes("control_v1")) return refused("unsupported", "this leader takes no commands")
  if (type === "get_leader_info") {
    return ok({
      type: "leader_info",
      pid: ports.pid,
      socket_path: ports.socketPath,
      lock_path: ports.lockPath,
      ws_url_suffix: "",
      leader_protocol_version: script.protocolVersion,
      leader_binary_version: version
    })
  }
  if (type !== "relaunch_for_update" || !capabilities.includes("relaunch_v1")) {
    return refused("unknown_command", `this leader does not know ${JSON.stringify(type) ?? "such a command"}`)
  }
  const to = member(command, "to_version")
  if (typeof to !== "string") return refused("invalid_command", "relaunch_for_update needs a to_version")
  if (!isOlderVersion(version, to)) {
    return ok({ type: "relaunch_declined", reason: `version ${version} is not older than ${to}` })
  }
  const relaunching = { type: "relaunching", from_version: version, to_version: to, grace_ms: relaunchGraceMs }
  return { result: { Ok: relaunching }, relaunches: true }
}

const ok = (payload: unknown): ControlAnswer => ({ result: { Ok: payload }, relaunches: false })

const refused = (code: string, message: string): ControlAnswer => ({
  result: { Err: { code, message } },
  relaunches: false
})
