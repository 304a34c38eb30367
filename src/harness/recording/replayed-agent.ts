import { RecordingMismatch } from "../../domain/recording-errors.ts"
import { type LineContent, lineContent } from "../../wire/acp/line-content.ts"
import { lineSplitter } from "../../wire/acp/line-splitter.ts"
import { memberToken, withMemberToken } from "../../wire/acp/member-token.ts"
import { errorLine } from "../../wire/acp/write-line.ts"
import type { FakeAgentPorts, RunningFakeAgent } from "../fake-agent/agent-ports.ts"
import type { Recording } from "./recording.ts"

/**
 * The agent of a recorded session. Each of its lines goes out when as many lines of the client have arrived as had then; its
 * responses have the ids of the client at hand. It ends as it did, or with 0 when its input ends.
 *
 * A line of another kind or method than was recorded at its place is told to `refused`, and on stderr; a request is
 * answered with an error, and the process exits with 1.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeReplayedAgent = (
  recording: Recording,
  ports: Pick<FakeAgentPorts, "write" | "complain" | "end">,
  { refused = () => {} }: { readonly refused?: (error: RecordingMismatch) => void } = {}
): RunningFakeAgent => {
  const events = [...recording]
  const fromClient = recording.flatMap((event) =>
    event.type === "line" && event.from === "client" ? [event.text] : []
  )
  const splitter = lineSplitter()
  /** Ids of this client by those that were recorded, and by their values where they were written in another way. */
  const ids = new Map<string, string>()
  const idValues = new Map<string, string>()
  let arrived = 0
  let passed = 0
  let hasInputEnded = false
  let isEnded = false

  const end = (how: Parameters<FakeAgentPorts["end"]>[0]): void => {
    if (isEnded) return
    isEnded = true
    ports.end(how)
  }
  /** Everything that may happen by now. */
  const goOn = (): void => {
    let event = events[0]
    while (event !== undefined && !isEnded) {
      const isFromClient = event.type === "line" && event.from === "client"
      if (isFromClient && passed === arrived) return
      if (event.type === "input ended" && !hasInputEnded) return
      if (isFromClient) passed++
      else if (event.type === "line") ports.write(utf8.encode(`${withLiveId(event.text)}\n`))
      else if (event.type === "end") end(event.end)
      events.shift()
      event = events[0]
    }
  }
  const withLiveId = (line: string): string => {
    if (lineContent(line).kind !== "response") return line
    const token = memberToken(line, "id") ?? "null"
    const live = ids.get(token) ?? idValues.get(idValueOf(token))
    return live === undefined ? line : withMemberToken(line, "id", live)
  }
  const take = (text: string): void => {
    const recorded = fromClient[arrived++]
    const here = lineContent(text)
    const there = recorded === undefined ? null : lineContent(recorded)
    if (there === null || nameOf(there) !== nameOf(here)) refuse(here, there)
    else {
      if (here.kind === "request" && there.kind === "request") know(there.idToken, here.idToken)
      goOn()
    }
  }
  const know = (recorded: string, live: string): void => {
    ids.set(recorded, live)
    idValues.set(idValueOf(recorded), live)
  }
  const refuse = (here: LineContent, there: LineContent | null): void => {
    const recorded = there === null ? null : nameOf(there)
    const error = new RecordingMismatch(arrived, { recorded, received: nameOf(here) })
    refused(error)
    ports.complain(`${error.message}\n`)
    if (here.kind === "request") {
      const data = { recorded, received: error.received, place: error.place }
      ports.write(utf8.encode(`${errorLine(here.idToken, { code: -32600, message: error.message, data })}\n`))
    }
    end({ kind: "exit", code: 1 })
  }

  goOn()
  return {
    received(bytes) {
      for (const { text } of splitter.push(bytes).lines) if (!isEnded) take(text)
    },
    inputEnded() {
      const last = splitter.end()
      if (last !== null && !isEnded) take(last.text)
      hasInputEnded = true
      goOn()
      end({ kind: "exit", code: 0 })
    }
  }
}

const utf8 = new TextEncoder()

const idValueOf = (token: string): string => JSON.stringify(JSON.parse(token))

/** What has to be the same: what a line is, and its method. */
const nameOf = (content: LineContent): string => {
  if (content.kind === "request" || content.kind === "notification")
    return `${content.kind} ${content.method ?? "without a method"}`
  return content.kind === "pollution" ? "line that is no message" : content.kind
}
