import { member } from "../../domain/json.ts"
import { lineContent } from "../../wire/acp/line-content.ts"
import { lineSplitter } from "../../wire/acp/line-splitter.ts"
import { errorLine } from "../../wire/acp/write-line.ts"
import { type AgentState, answerMethod, promptText, sessionOf } from "./agent-methods.ts"
import { makeAgentOutput } from "./agent-output.ts"
import type { FakeAgentPorts, RunningFakeAgent } from "./agent-ports.ts"
import { makeAgentSessions } from "./agent-sessions.ts"
import { type Verdict, verdictOn } from "./call-rules.ts"
import { makeClientAsks } from "./client-asks.ts"
import { runTurn } from "./prompt-turn.ts"
import { type Answer, responseLines } from "./response-lines.ts"
import { calmScript, type FakeAgentScript } from "./script.ts"
import { updateLine } from "./turn-steps.ts"

/** A request that was not answered. */
interface Call {
  readonly idToken: string
  readonly method: string
  readonly number: number
  /** The session of a prompt. */
  readonly sessionId: string | null
  /** Stops what is done about it. */
  stop: () => void
}

/**
 * An agent that speaks ACP over the ports it is given, and does what its script says.
 *
 * **Source** agent-harness.md, appendix A
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeFakeAgent = (script: FakeAgentScript, ports: FakeAgentPorts): RunningFakeAgent => {
  const output = makeAgentOutput(script, ports)
  const asks = makeClientAsks(output.line)
  const state: AgentState = {
    script,
    version: ports.version,
    sessions: makeAgentSessions(ports.store),
    isAuthenticated: false
  }
  const splitter = lineSplitter()
  const calls = new Set<Call>()
  const counts = new Map<string, number>()
  /** Responses that the next one of their method overtakes. */
  const overtaken = new Map<string, ReadonlyArray<string>>()
  let isEnded = false

  for (const text of script.stderr) ports.complain(`${text}\n`)

  const end = (how: Parameters<FakeAgentPorts["end"]>[0]): void => {
    if (isEnded) return
    isEnded = true
    for (const call of calls) call.stop()
    output.behind(() => ports.end(how))
  }
  const settle = (call: Call, answer: Answer): void => {
    if (!calls.delete(call)) return
    respond(call, answer)
    call.stop()
  }
  const respond = ({ idToken, method }: Call, answer: Answer): void => {
    const { responses } = script
    const isAltered = responses.method === null || responses.method === method
    const lines = responseLines(idToken, answer, isAltered ? responses : calmScript.responses)
    const first = overtaken.get(method)
    overtaken.delete(method)
    if (responses.outOfOrder === method && first === undefined) overtaken.set(method, lines)
    else write([...lines, ...(first ?? [])])
  }
  const write = (lines: ReadonlyArray<string>): void => {
    for (const line of lines) output.line(line)
  }

  const perform = (call: Call | null, act: NonNullable<Verdict["act"]>): void => {
    if (act.kind === "exit") end({ kind: "exit", code: act.code })
    else if (act.kind === "crash") end({ kind: "crash", signal: act.signal })
    else if (act.kind === "close output") output.behind(ports.closeOutput)
    else if (call === null) return
    else if (act.kind === "silent") calls.delete(call)
    else settle(call, { kind: "error", error: { code: act.code, message: act.message, data: undefined } })
  }
  /** What the rules say when a call of a method arrives; then it is answered, unless something else came of it. */
  const judge = (
    { method, number }: Pick<Call, "method" | "number">,
    { call, proceed }: { readonly call: Call | null; readonly proceed: () => void }
  ): void => {
    const { delayMs, act } = verdictOn(script.rules, { method, call: number, afterChunks: null })
    const go = (): void => {
      if (isEnded) return
      if (act !== null) perform(call, act)
      if (act === null || act.kind === "close output") proceed()
    }
    const forget = delayMs === 0 ? null : ports.clock.arm(delayMs, "fake agent/delay", go)
    if (forget === null) go()
    else if (call !== null) call.stop = forget
  }
  const count = (method: string): number => {
    const number = (counts.get(method) ?? 0) + 1
    counts.set(method, number)
    return number
  }

  const request = (
    idToken: string,
    { method, params }: { readonly method: string; readonly params: unknown }
  ): void => {
    const asked = method === "session/prompt" ? member(params, "sessionId") : null
    const sessionId = typeof asked === "string" ? asked : null
    const call: Call = { idToken, method, number: count(method), sessionId, stop: () => {} }
    calls.add(call)
    judge(call, { call, proceed: () => (method === "session/prompt" ? prompt(call, params) : answer(call, params)) })
  }
  const answer = (call: Call, params: unknown): void => {
    const outcome = answerMethod(state, call.method, params)
    for (const { sessionId, update } of outcome.updates ?? []) output.line(updateLine(sessionId, update))
    settle(call, outcome.answer)
  }
  const prompt = (call: Call, params: unknown): void => {
    const found = sessionOf(state, params)
    const text = promptText(params)
    if ("refusal" in found) settle(call, found.refusal.answer)
    else if (text === null) settle(call, invalidPrompt)
    else turn(call, { sessionId: found.session.id, prompt: text })
  }
  const turn = (call: Call, asked: { readonly sessionId: string; readonly prompt: string }): void => {
    if (script.oneWrite) output.hold()
    const released = once(() => (script.oneWrite ? output.release() : undefined))
    const stop = runTurn(
      { state, ports, output, asks },
      {
        ...asked,
        call: call.number,
        settle(given) {
          settle(call, given)
          released()
        },
        perform(act) {
          perform(call, act)
          if (act.kind !== "close output") released()
        }
      }
    )
    call.stop = () => {
      stop()
      released()
    }
    // The turn may be over by now.
    if (!calls.has(call)) call.stop()
  }

  const notification = (method: string, params: unknown): void => {
    if (method === "session/cancel") {
      const id = member(params, "sessionId")
      for (const call of calls) if (call.sessionId !== null && call.sessionId === id) settle(call, cancelledTurn)
    } else if (method === "$/cancel_request") {
      const id = member(params, "requestId")
      for (const call of calls) if (JSON.parse(call.idToken) === id) settle(call, cancelledRequest)
    }
  }
  const take = (text: string): void => {
    const content = lineContent(text)
    if (content.kind === "response") asks.answer(content.id, content.outcome)
    else if (content.kind === "notification") {
      const { method, params } = content
      judge({ method, number: count(method) }, { call: null, proceed: () => notification(method, params) })
    } else if (content.kind === "request") {
      const { idToken, method, params } = content
      if (method === null) output.line(refusal(idToken, -32600, "method is no text"))
      else request(idToken, { method, params })
    } else if (content.kind === "pollution") output.line(refusal("null", -32700, `parse error: ${content.reason}`))
    else if (content.kind !== "blank") output.line(refusal("null", -32600, "a request is an object with a method"))
  }

  return {
    received(bytes) {
      const { lines, overflow } = splitter.push(bytes)
      for (const { text } of lines) if (!isEnded) take(text)
      if (overflow === null || isEnded) return
      ports.complain(`a line of ${overflow} bytes is longer than is read\n`)
      end({ kind: "exit", code: 1 })
    },
    inputEnded() {
      const last = splitter.end()
      if (last !== null && !isEnded) take(last.text)
      for (const lines of overtaken.values()) write(lines)
      overtaken.clear()
      if (!script.ignoreEof) end({ kind: "exit", code: 0 })
    }
  }
}

const refusal = (idToken: string, code: number, message: string): string =>
  errorLine(idToken, { code, message, data: undefined })

const once = (act: () => void): (() => void) => {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    act()
  }
}

const cancelledTurn: Answer = { kind: "result", result: { stopReason: "cancelled" } }
const cancelledRequest: Answer = {
  kind: "error",
  error: { code: -32800, message: "request cancelled", data: undefined }
}
const invalidPrompt: Answer = {
  kind: "error",
  error: { code: -32602, message: "prompt must be a list of content blocks", data: undefined }
}
