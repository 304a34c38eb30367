import { lineContent } from "../../wire/acp/line-content.ts"
import { notificationLine } from "../../wire/acp/write-line.ts"
import { type ClientActor, type ClientCore, tellClient } from "./client-core.ts"

/** Collects what is to be said again; what the old leader was asked is lost. */
export const beginReplay = (data: ClientCore): void => {
  data.memory.lost()
  data.replays = data.memory.replays()
  data.asked = null
  data.restored = null
}

/** Says the next thing again, when the answer to the one before is there. */
export const replayNext = (client: ClientActor): void => {
  const { data } = client
  const [next, ...rest] = data.replays
  data.replays = rest
  data.asked = next ?? null
  if (next === undefined) tellClient(client, { type: "replay.over" })
  else data.link?.send({ type: "acp", payload: next.line })
}

/** Whether a line is the answer to what was said again. It is taken in, and goes no further. */
export const isReplayed = ({ data }: ClientActor, line: string): boolean => {
  const content = lineContent(line)
  if (data.asked === null || content.kind !== "response" || content.id !== data.asked.id) return false
  if (content.outcome.kind === "result") data.restored = data.asked.sessionId ?? data.restored
  else if (data.asked.sessionId !== null) data.ports.log(`session ${data.asked.sessionId} could not be restored`)
  data.asked = null
  return true
}

/** Says that there is a leader again. The method has no underscore before it, other than those of agents. */
export const endReplay = ({ ports, restored }: ClientCore): void =>
  ports.write(notificationLine("x.ai/leader_reconnected", restored === null ? {} : { sessionId: restored }))
