import { member } from "../../domain/json.ts"
import { customCall } from "../../wire/acp/custom-method.ts"
import { type LineContent, lineContent } from "../../wire/acp/line-content.ts"
import { memberToken, withMemberToken } from "../../wire/acp/member-token.ts"
import { cancelledId, idKey } from "../../wire/acp/request-id.ts"
import { errorLine } from "../../wire/acp/write-line.ts"
import { makeAgentQuestions } from "./agent-questions.ts"
import { routedId, routeOf } from "./routed-id.ts"
import { makeSessionAudience } from "./session-audience.ts"

/**
 * The lines between one agent and several clients of it.
 *
 * **Source** agent-harness.md, section 5.1, "ACP through the leader"
 *
 * @since 0.1.0
 * @category services
 */
export interface AcpRouter {
  /** From now on requests are answered by the agent. */
  ready(): void
  /** A client is there, or is gone; what the agent answers it later is dropped. Numbers are from 1. */
  joined(client: number): void
  left(client: number): void
  fromClient(client: number, line: string): void
  fromAgent(line: string): void
  /** How many requests of clients that are there the agent has not answered. */
  underWay(): number
}

/** Where lines go; without LF. */
export interface RouterExits {
  toClient(client: number, line: string): void
  toAgent(line: string): void
  /** Nobody wants a line, for this reason. */
  dropped(reason: string, line: string): void
}

interface ClientCall {
  readonly client: number
  readonly method: string
  readonly sessionId: string | null
  /** Whether the client follows the session only because it has asked for it. */
  readonly follows: boolean
}

type RequestContent = Extract<LineContent, { readonly kind: "request" }>
type NotificationContent = Extract<LineContent, { readonly kind: "notification" }>

/** @since 0.1.0 @category constructors */
export const makeAcpRouter = ({ toClient, toAgent, dropped }: RouterExits): AcpRouter => {
  const clients = new Set<number>()
  const audience = makeSessionAudience()
  const questions = makeAgentQuestions()
  /** By the id towards the agent. */
  const calls = new Map<string, ClientCall>()
  let isReady = false

  const request = (client: number, line: string, { idToken, method, params }: RequestContent): void => {
    if (!isReady) {
      toClient(client, errorLine(idToken, leaderStarting))
      return
    }
    const sessionId = sessionIn(params)
    let follows = false
    if (sessionId !== null && opening.has(method ?? "")) follows = audience.follow(client, sessionId)
    if (sessionId !== null && method === "session/prompt") audience.drive(client, sessionId)
    const id = routedId(client, idToken)
    calls.set(id, { client, method: method ?? "", sessionId, follows })
    toAgent(withMemberToken(line, "id", id))
  }
  const notification = (client: number, line: string, { method }: NotificationContent): void => {
    if (isReady) toAgent(method === "$/cancel_request" ? routedCancel(client, line) : line)
    else dropped("the leader is not ready", line)
  }

  /** What the answer to a call says of who follows what. */
  const learn = ({ client, method, sessionId, follows }: ClientCall, result: unknown): void => {
    const isOk = result !== undefined
    const made = sessionIn(result)
    if (isOk && method === "session/new" && made !== null && clients.has(client)) audience.follow(client, made)
    if (sessionId === null) return
    if (!isOk && follows) audience.leave(client, sessionId)
    if (isOk && method === "session/close") audience.leave(client, sessionId)
    if (isOk && method === "session/delete") audience.close(sessionId)
  }
  const answered = (line: string, content: Extract<LineContent, { readonly kind: "response" }>): void => {
    const route = routeOf(content.id)
    if (route === null) {
      dropped("it answers nothing", line)
      return
    }
    const id = JSON.stringify(content.id)
    const call = calls.get(id)
    calls.delete(id)
    if (call !== undefined) learn(call, content.outcome.kind === "result" ? content.outcome.result : undefined)
    if (clients.has(route.client)) toClient(route.client, withMemberToken(line, "id", route.idToken))
    else dropped("its client is gone", line)
  }
  /** A question for everybody, or for whoever drives the session. */
  const asked = (line: string, { idToken, method, params }: RequestContent): void => {
    const sessionId = sessionIn(customCall(method ?? "", params).params)
    const followers = sessionId === null ? [...clients] : audience.followers(sessionId)
    const driver = sessionId === null ? followers[0] : audience.driver(sessionId)
    const chosen = method === "session/request_permission" ? followers : [driver ?? []].flat()
    if (chosen.length === 0) toAgent(errorLine(idToken, nobodyThere))
    else questions.ask(idKey(idToken), chosen, idToken)
    for (const client of chosen) toClient(client, line)
  }
  const told = (line: string, { method, params }: NotificationContent): void => {
    const sessionId = sessionIn(customCall(method, params).params)
    for (const client of sessionId === null ? clients : audience.followers(sessionId)) toClient(client, line)
  }

  return {
    ready() {
      isReady = true
    },
    joined: (client) => void clients.add(client),
    left(client) {
      clients.delete(client)
      audience.leaveAll(client)
      for (const idToken of questions.gone(client)) toAgent(errorLine(idToken, nobodyThere))
    },
    fromClient(client, text) {
      // Between values a line break means as much as a blank, and elsewhere it cannot stand.
      const line = text.replaceAll(/[\r\n]/g, " ")
      const content = lineContent(line)
      if (content.kind === "request") request(client, line, content)
      else if (content.kind === "notification") notification(client, line, content)
      else if (content.kind === "response") {
        if (questions.answer(idKey(memberToken(line, "id") ?? "null"), client)) toAgent(line)
        else dropped("it answers nothing, or not as the first", line)
      } else if (content.kind === "pollution") toClient(client, refusal(-32700, `parse error: ${content.reason}`))
      else if (content.kind !== "blank") toClient(client, refusal(-32600, "a request is an object with a method"))
    },
    fromAgent(line) {
      const content = lineContent(line)
      if (content.kind === "response") answered(line, content)
      else if (content.kind === "request") asked(line, content)
      else if (content.kind === "notification") told(line, content)
      else if (content.kind !== "blank") dropped("the agent wrote what is no message", line)
    },
    underWay: () => [...calls.values()].filter(({ client }) => clients.has(client)).length
  }
}

/** A cancel that names the request as the agent knows it. */
const routedCancel = (client: number, line: string): string => {
  const cancelled = cancelledId(line)
  const params = memberToken(line, "params")
  if (cancelled === null || params === null) return line
  return withMemberToken(line, "params", withMemberToken(params, "requestId", routedId(client, cancelled)))
}

/** Calls by which a client begins to follow the session that they are about, before they are answered. */
const opening = new Set(["session/load", "session/resume"])

const leaderStarting = { code: -32002, message: "leader_starting", data: undefined }
const nobodyThere = { code: -32603, message: "no client is there to answer", data: undefined }

const refusal = (code: number, message: string): string => errorLine("null", { code, message, data: undefined })

const sessionIn = (params: unknown): string | null => {
  const id = member(params, "sessionId")
  return typeof id === "string" ? id : null
}
