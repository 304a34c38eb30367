import { ProtocolViolation } from "../../domain/harness-errors.ts"
import { isRecord, jsonText, member } from "../../domain/json.ts"
import type { LeaderInfo, RelaunchAnswer } from "./leader-connection.ts"

/** Makes text of the leader fit to be shown. */
type Shown = (text: string) => string

/** **Fails** with `ProtocolViolation`. @since 0.1.0 @category encoding */
export const readLeaderInfo = (payload: unknown, shown: Shown): LeaderInfo => {
  if (!isRecord(payload) || payload["type"] !== "leader_info")
    throw broken("get_leader_info gives leader_info", shown(jsonText(payload) ?? ""))
  return {
    pid: numberIn(payload, "pid"),
    socketPath: textIn(payload, "socket_path"),
    lockPath: textIn(payload, "lock_path"),
    wsUrlSuffix: textIn(payload, "ws_url_suffix"),
    protocolVersion: numberIn(payload, "leader_protocol_version"),
    binaryVersion: textIn(payload, "leader_binary_version"),
    payload
  }
}

/** **Fails** with `ProtocolViolation`. @since 0.1.0 @category encoding */
export const readRelaunchAnswer = (payload: unknown, shown: Shown): RelaunchAnswer => {
  const type = member(payload, "type")
  if (type === "relaunching") {
    return {
      kind: "relaunching",
      fromVersion: textIn(payload, "from_version"),
      toVersion: textIn(payload, "to_version"),
      graceMs: numberIn(payload, "grace_ms")
    }
  }
  if (type === "relaunch_declined") return { kind: "declined", reason: textIn(payload, "reason") ?? "" }
  throw broken("relaunch_for_update gives relaunching or relaunch_declined", shown(jsonText(payload) ?? ""))
}

const broken = (rule: string, line: string): ProtocolViolation => new ProtocolViolation(rule, { line })

const textIn = (value: unknown, name: string): string | null => {
  const text = member(value, name)
  return typeof text === "string" ? text : null
}

const numberIn = (value: unknown, name: string): number | null => {
  const number = member(value, name)
  return typeof number === "number" ? number : null
}
