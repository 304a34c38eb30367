import { notificationLine } from "../../wire/acp/write-line.ts"
import { makeAnswer } from "./agent-answer.ts"
import type { AgentState } from "./agent-methods.ts"
import type { AgentOutput } from "./agent-output.ts"
import type { FakeAgentPorts } from "./agent-ports.ts"
import { type Verdict, verdictOn } from "./call-rules.ts"
import type { ClientAsks, ClientSaid } from "./client-asks.ts"
import type { Answer } from "./response-lines.ts"
import type { TurnStep } from "./script.ts"
import { bigLine, filled, terminalCall, terminalSteps, updateLine } from "./turn-steps.ts"

/** What turns share. */
export interface TurnRoom {
  readonly state: AgentState
  readonly ports: FakeAgentPorts
  readonly output: AgentOutput
  readonly asks: ClientAsks
}

export interface TurnAsked {
  readonly sessionId: string
  readonly prompt: string
  /** Which call of `session/prompt` it is. */
  readonly call: number
  readonly settle: (answer: Answer) => void
  /** Does what a rule says instead of going on. */
  readonly perform: (act: NonNullable<Verdict["act"]>) => void
}

type AnswerEvent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly reason: string }

/**
 * One turn: what the script does first, then the answer chunk by chunk, then the response.
 *
 * **Gives** what stops it where it stands; what was said until then is kept in the session
 *
 * @since 0.1.0
 * @category running
 */
export const runTurn = (room: TurnRoom, asked: TurnAsked): (() => void) => {
  const { state, ports, output } = room
  const { script, sessions } = state
  const { sessionId, prompt } = asked
  const events: Array<AnswerEvent> = []
  const heard: Array<ClientSaid> = []
  let said = ""
  let chunksOut = 0
  /** Whether the rules for this number of chunks were looked at. */
  let isRuled = false
  let isOver = false
  let isWaiting = false
  let forget = (): void => {}

  const over = (): void => {
    if (isOver) return
    isOver = true
    forget()
    const messages = sessions.find(sessionId)?.messages ?? []
    sessions.change(sessionId, {
      messages: [...messages, { role: "user", text: prompt }, { role: "assistant", text: said }]
    })
  }
  const settle = (answer: Answer): void => {
    over()
    asked.settle(answer)
  }
  const perform = (act: NonNullable<Verdict["act"]>): void => {
    if (act.kind !== "close output") over()
    asked.perform(act)
    if (act.kind === "close output") goOn()
  }

  const steps: Array<TurnStep> = [...script.turn]
  const takeSteps = (): void => {
    let step = steps.shift()
    while (step !== undefined) {
      if (takeStep(room, { step, sessionId, answered })) return
      step = steps.shift()
    }
    answer()
  }
  const answered = (answer: ClientSaid, then: ReadonlyArray<TurnStep>): void => {
    if (isOver) return
    heard.push(answer)
    steps.unshift(...then)
    takeSteps()
  }

  const answer = (): void => {
    const messages = [...(sessions.find(sessionId)?.messages ?? []), { role: "user", text: prompt } as const]
    const hear = (event: AnswerEvent): void => {
      events.push(event)
      goOn()
    }
    const stop = makeAnswer(script, {
      askModel: ports.askModel,
      messages,
      sink: {
        text: (text) => hear({ kind: "text", text }),
        done: () => hear({ kind: "done" }),
        failed: (reason) => hear({ kind: "failed", reason })
      }
    })
    if (isOver) stop()
    else if (isWaiting) forget = both(forget, stop)
    else forget = stop
  }
  /** Takes events until one has to be waited for. */
  const goOn = (): void => {
    while (!isOver && !isWaiting) {
      if (!isRuled) {
        isRuled = true
        if (rule()) continue
      }
      const event = events.shift()
      if (event === undefined) return
      take(event)
    }
  }
  /** Whether a rule has taken over. */
  const rule = (): boolean => {
    const place = { method: "session/prompt", call: asked.call, afterChunks: chunksOut }
    const { delayMs, act } = verdictOn(script.rules, place)
    const proceed = (): void => {
      if (act !== null) perform(act)
      else goOn()
    }
    if (delayMs > 0) {
      isWaiting = true
      output.flush()
      const forgetTimer = ports.clock.arm(delayMs, "fake agent/delay", () => {
        isWaiting = false
        proceed()
      })
      forget = both(forget, forgetTimer)
    } else if (act !== null) proceed()
    return delayMs > 0 || act !== null
  }
  const take = (event: AnswerEvent): void => {
    if (event.kind === "text") {
      said += event.text
      const content = { type: "text", text: event.text }
      output.line(updateLine(sessionId, { sessionUpdate: "agent_message_chunk", content }))
      chunksOut++
      isRuled = false
    } else if (event.kind === "done") settle({ kind: "result", result: endOfTurn(heard) })
    else settle({ kind: "error", error: { code: -32603, message: event.reason, data: undefined } })
  }

  takeSteps()
  return over
}

const both = (first: () => void, second: () => void) => (): void => {
  first()
  second()
}

/** The answers of the client go back to it, so that a test sees what the agent was told. */
const endOfTurn = (heard: ReadonlyArray<ClientSaid>) => ({
  stopReason: "end_turn",
  ...(heard.length === 0 ? {} : { _meta: { heard } })
})

/** Gives whether the answer of the client is to be waited for. */
const takeStep = (
  { ports, output, asks }: TurnRoom,
  options: {
    readonly step: TurnStep
    readonly sessionId: string
    /** Tells an answer, and what is to be done before the other steps because of it. */
    readonly answered: (said: ClientSaid, then: ReadonlyArray<TurnStep>) => void
  }
): boolean => {
  const { step, sessionId, answered } = options
  switch (step.kind) {
    case "update":
      output.line(updateLine(sessionId, filled(step.update, sessionId)))
      return false
    case "notify":
      output.line(notificationLine(step.method, filled(step.params, sessionId)))
      return false
    case "line":
      output.line(step.text)
      return false
    case "big line":
      output.line(bigLine(step.bytes))
      return false
    case "stderr":
      ports.complain(`${step.text}\n`)
      return false
    case "ask": {
      const { method, id, waits } = step
      const params = filled(step.params, sessionId)
      asks.ask({ method, id, params }, waits ? (said) => answered(said, []) : () => {})
      if (waits) output.flush()
      return waits
    }
    case "terminal":
      asks.ask({ ...terminalCall(step.command, sessionId), id: null }, (said) => answered(said, terminalSteps(said)))
      output.flush()
      return true
  }
}
