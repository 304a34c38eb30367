import { type RawVerdict, rawClientMachine } from "../../../machines/raw-client.machine.ts"
import type { BoundedList } from "../../domain/bounded-list.ts"
import { InvalidOption } from "../../domain/errors.ts"
import { passedLineMax } from "../../domain/raw-limits.ts"
import { compileChart } from "../../supervisor/chart.ts"
import { type Actor, actorKind, type Supervisor } from "../../supervisor/supervisor.ts"
import { lineContent } from "../../wire/acp/line-content.ts"
import type { AgentRequests } from "./agent-requests.ts"
import type { InboundLines } from "./inbound-lines.ts"
import type { KeptResponses } from "./kept-responses.ts"
import type { JsonMessage } from "./raw-client.ts"
import { closedError, lateError, overError, type ReportedAgent } from "./raw-report.ts"
import type { RawSender } from "./raw-sender.ts"
import { messageIn, type ReadLine, type WaitGoal } from "./raw-wait.ts"

/** A wait that was asked for and has not settled. */
export interface PendingWait {
  readonly goal: WaitGoal
  /** The id of the response that it waits for, if it does. */
  readonly id: string | null
  readonly resolve: (message: JsonMessage | undefined) => void
  readonly reject: (error: unknown) => void
}

/** What the performers of a raw client work with. */
export interface RawData {
  readonly supervisor: Supervisor
  readonly agent: ReportedAgent
  readonly inbound: InboundLines
  readonly sender: RawSender
  readonly requests: AgentRequests
  readonly kept: KeptResponses
  readonly notifications: BoundedList<JsonMessage>
  readonly waits: Map<number, PendingWait>
  /** Whether somebody reads who has read all there is. */
  isHungry: boolean
  /** The line that was read last. */
  line: ReadLine | null
  /** What the predicate of a wait has thrown. */
  thrown: unknown
  readonly release: () => Promise<void>
  readonly closed: () => void
  /** What closing has failed with, the first thing. */
  closeFailure: unknown
}

export type RawActor = Actor<typeof rawClientMachine, RawData>

/** The chart of a raw client and what performs its actions. @since 0.1.0 @category services */
export const rawClientKind = actorKind<typeof rawClientMachine, RawData>(
  compileChart(rawClientMachine),
  {
    readLine(_, client) {
      client.data.inbound.setReading(true)
      readNext(client)
    },
    stopReading(_, { data }) {
      data.isHungry = false
      data.inbound.setReading(false)
    },
    answer({ text }, { data }) {
      const content = lineContent(text)
      const answer = content.kind === "request" ? data.requests.answer(content) : null
      if (answer !== null) data.sender.send([new TextEncoder().encode(`${answer}\n`)])
    },
    keep: ({ text }, { data }) => data.kept.keep(text),
    settle: ({ how }, client) => settle(client, how),
    settleKept({ wait }, { data }) {
      const pending = take(data, wait)
      if (pending?.id !== null && pending !== undefined) pending.resolve(data.kept.take(pending.id))
    },
    refuseWait({ wait }, { data }) {
      const pending = take(data, wait)
      pending?.reject(
        new InvalidOption(`${pending.goal.what} cannot be waited for: another wait goes on, and one waits at a time`)
      )
    },
    rejectClosed(_, { data }) {
      for (const [wait, { goal, reject }] of data.waits) {
        data.waits.delete(wait)
        reject(closedError(goal.what, data.agent))
      }
      data.inbound.drop()
    },
    endInput: (_, { data }) => void data.sender.send([]),
    endProcess({ mode }, client) {
      const { agent, sender, supervisor } = client.data
      sender.abort(closedError("a send", agent))
      const ended = mode === "kill" ? agent.process.kill() : agent.process.close()
      ended.then(
        () => supervisor.deliver(client, { type: "process.left" }),
        (error) => {
          client.data.closeFailure ??= error
          supervisor.deliver(client, { type: "process.stuck" })
        }
      )
    },
    killProcess: (_, { data }) => data.agent.process.startKill(),
    release(_, client) {
      const { supervisor, release } = client.data
      const released = (): void => supervisor.deliver(client, { type: "released" })
      release().then(released, (error) => {
        client.data.closeFailure ??= error
        released()
      })
    },
    tellClosed: (_, { data }) => data.closed()
  },
  { isGuard: true }
)

/** Lines have come, or nothing more comes: whoever reads hears of it. */
export const goOnReading = (client: RawActor): void => {
  if (!client.data.isHungry) return
  client.data.isHungry = false
  readNext(client)
}

const readNext = (client: RawActor): void => {
  const { data } = client
  const next = data.inbound.shift()
  if (next === undefined) {
    if (data.inbound.end() === null) data.isHungry = true
    else data.supervisor.deliver(client, { type: "lines.over" })
    return
  }
  const { text } = next
  const line: ReadLine = { text, content: lineContent(text) }
  const { content } = line
  data.line = line
  if (content.kind === "notification") {
    const message = messageIn(line)
    if (message !== undefined) data.notifications.push(message, next.bytes.byteLength)
  }
  if (content.kind === "request") data.supervisor.deliver(client, { type: "request", text })
  const isResponse = content.kind === "response" && typeof content.id === "string"
  data.supervisor.deliver(client, {
    type: "line",
    verdict: verdictOn(client, line),
    // A response is kept whole; of other lines no more than may be shown.
    text: isResponse ? text : text.slice(0, passedLineMax),
    isResponse
  })
}

const verdictOn = ({ data, snapshot }: RawActor, line: ReadLine): RawVerdict => {
  const pending = data.waits.get(snapshot.context.wait)
  if (pending === undefined) return "skip"
  try {
    return pending.goal.matches(line) ? "match" : "skip"
  } catch (error) {
    data.thrown = error
    return "failed"
  }
}

const take = (data: RawData, wait: number): PendingWait | undefined => {
  const pending = data.waits.get(wait)
  data.waits.delete(wait)
  return pending
}

const settle = ({ data, snapshot }: RawActor, how: "match" | "failed" | "expired" | "over"): void => {
  const { wait, waitMs, skipped, tail } = snapshot.context
  const pending = take(data, wait)
  if (pending === undefined) return
  const { goal, resolve, reject } = pending
  const report = { what: goal.what, object: goal.object, ms: waitMs, skipped, tail }
  if (how === "match") {
    // What breaks a silence is not what anybody waited for.
    const isLost = goal.isForSilence && snapshot.context.keepsResponses && data.line?.content.kind === "response"
    if (isLost) data.kept.keep(data.line?.text ?? "")
    found(data, pending)
  } else if (how === "failed") reject(data.thrown)
  else if (how === "over") reject(overError(data.inbound.outputEnd() ?? { kind: "ended" }, report, data.agent))
  else if (goal.isForSilence) resolve(undefined)
  else reject(lateError(report, data.agent))
}

const found = ({ line }: RawData, { goal, resolve, reject }: PendingWait): void => {
  try {
    resolve(line === null ? undefined : goal.found(line))
  } catch (error) {
    reject(error)
  }
}
