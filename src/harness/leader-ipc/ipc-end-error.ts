import type { LeaderIpcEnd } from "../../../machines/leader-ipc.machine.ts"
import {
  AgentClosed,
  AgentError,
  type FrameTooLarge,
  ProtocolViolation,
  RequestTimeout
} from "../../domain/harness-errors.ts"
import { Cancelled, PathTooLong } from "../../domain/harness-scope-errors.ts"
import { connectAttemptMs, connectAttemptsMax, readyMs, registerMs } from "../../domain/leader-ipc-limits.ts"
import { type StreamAddress, type StreamProblem, streamAddressText } from "../../ports/stream-port.ts"
import type { BrokenMessage, LeaderMessage } from "../../wire/leader/leader-message.ts"

/** What is known of a connection that has ended. */
export interface IpcEndFacts {
  readonly address: StreamAddress
  /** Whether it was handed out. */
  readonly wasOpen: boolean
  /** Why the last connect failed; `null` when it took too long. */
  readonly problem: StreamProblem | null
  /** The first message of the leader. */
  readonly first: LeaderMessage | null
  /** What was no message, or no frame. */
  readonly broken: BrokenMessage | FrameTooLarge | null
  /** Why the leader said that it will go. */
  readonly leaving: string | null
  /** Of a frame that was never completed. */
  readonly heldBytes: number
  /** Why the connection is gone, as the system calls it. */
  readonly code: string | null
  /** Makes text of the leader fit to be shown. */
  readonly shown: (text: string) => string
}

/**
 * What a connection that has ended says to who still wants something of it.
 *
 * **Source** agent-harness.md, section 5.7
 *
 * @since 0.1.0
 * @category errors
 */
export const ipcEndError = (end: LeaderIpcEnd, facts: IpcEndFacts): Error => {
  const leader = `the leader at ${streamAddressText(facts.address)}`
  switch (end) {
    case "unreachable":
      return unreachable(leader, facts)
    case "register late":
      return new RequestTimeout(`register with ${leader}`, { ms: registerMs, ...lateReport("register", leader, facts) })
    case "ready late":
      return new RequestTimeout(`readiness of ${leader}`, { ms: readyMs })
    case "refused":
      return refused(leader, facts)
    case "unexpected":
      return unexpected(facts)
    case "broken":
      return brokenError(facts)
    case "lost":
      return new AgentClosed(`${leader} closed the connection${where(facts)}`)
    case "shutdown":
      return new AgentClosed(`${leader} shut down${facts.leaving === null ? "" : ` (${facts.shown(facts.leaving)})`}`)
    case "disconnected":
      return facts.wasOpen
        ? new AgentClosed(`the connection to ${leader} was closed here`)
        : new Cancelled(`connecting to ${leader} was given up`)
  }
}

const unreachable = (leader: string, { address, problem }: IpcEndFacts): Error => {
  if (problem?.kind === "path too long" && address.kind === "unix") return new PathTooLong(address.path, problem)
  const why = problem === null ? `no connection within ${connectAttemptMs} ms` : `${problem.kind}, ${problem.reason}`
  const tries = problem?.kind === "not allowed" ? "" : ` in ${connectAttemptsMax} attempts`
  return new AgentClosed(`${leader} could not be connected to${tries}: ${why}`)
}

const lateReport = (what: string, leader: string, { heldBytes }: IpcEndFacts): { readonly report?: string } =>
  heldBytes === 0
    ? {}
    : { report: `${what} with ${leader} was not answered within ${registerMs} ms; ${heldBytes} bytes of a frame came` }

const refused = (leader: string, { first, shown }: IpcEndFacts): Error => {
  const { code, message } = first?.kind === "error" ? first : { code: 0, message: "" }
  return new AgentError(message, { what: `register with ${leader}`, code, shown: shown(message) })
}

const unexpected = ({ first, shown }: IpcEndFacts): Error =>
  new ProtocolViolation("the first message is registered", { line: shown(`{"type":"${typeOf(first)}"}`) })

const brokenError = ({ broken, shown }: IpcEndFacts): Error => {
  if (broken === null) return new ProtocolViolation("a frame holds a message", { line: "" })
  return broken instanceof Error ? broken : new ProtocolViolation(broken.rule, { line: shown(broken.text) })
}

const where = ({ wasOpen, heldBytes, code }: IpcEndFacts): string => {
  const early = wasOpen ? "" : " before it was ready"
  const inFrame = heldBytes === 0 ? "" : `, ${heldBytes} bytes into a frame`
  return `${early}${inFrame}${code === null ? "" : ` (${code})`}`
}

/** The type of a message as it is on the wire. */
const typeOf = (message: LeaderMessage | null): string => {
  if (message === null) return ""
  if (message.kind === "unknown") return message.type
  return message.kind === "ready" ? "leader_ready" : message.kind.replace(" ", "_")
}
