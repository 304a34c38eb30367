import { isRecord, member } from "../../domain/json.ts"
import { notificationLine } from "../../wire/acp/write-line.ts"
import type { ClientSaid } from "./client-asks.ts"
import type { TurnStep } from "./script.ts"

/** The notification that something of a session has changed, as its line. */
export const updateLine = (sessionId: string, update: unknown): string =>
  notificationLine("session/update", { sessionId, update })

/** A value in which `{sessionId}` as a whole text is the id of a session. */
export const filled = (value: unknown, sessionId: string): unknown => {
  if (value === "{sessionId}") return sessionId
  if (Array.isArray(value)) return value.map((item) => filled(item, sessionId))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filled(item, sessionId)]))
}

const bigMethod = "_fixture/big"

/**
 * A notification of so many bytes, its LF included.
 *
 * **Gives** a longer one where these bytes are too few
 *
 * @since 0.1.0
 * @category encoding
 */
export const bigLine = (bytes: number): string => {
  const least = notificationLine(bigMethod, { padding: "" }).length + 1
  return notificationLine(bigMethod, { padding: "x".repeat(Math.max(0, bytes - least)) })
}

/** The fewest bytes that `bigLine` can have. */
export const bigLineBytesMin = bigLine(0).length + 1

/** Asks for a terminal that runs a command of the shell. */
export const terminalCall = (command: string, sessionId: string) => ({
  method: "terminal/create",
  params: { sessionId, command: "sh", args: ["-c", command] }
})

/** What is to be done with a terminal that the client has opened; nothing without one. */
export const terminalSteps = (created: ClientSaid): ReadonlyArray<TurnStep> => {
  const terminalId = created.kind === "result" ? member(created.result, "terminalId") : undefined
  if (typeof terminalId !== "string") return []
  return ["terminal/wait_for_exit", "terminal/output", "terminal/release"].map((method) => ({
    kind: "ask",
    method,
    params: { sessionId: "{sessionId}", terminalId },
    id: null,
    waits: true
  }))
}
