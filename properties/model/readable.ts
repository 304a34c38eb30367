import type { RequestClass } from "../../src/domain/classification.ts"
import { barrierName, type Command, type History, type RequestSpec, type Script } from "./command.ts"

/**
 * A history as lines that a person can follow: time, then what happens, in the words of the server's interface.
 *
 * @since 0.1.0
 * @category encoding
 */
export const historyLines = ({ setup, steps, choices }: History): ReadonlyArray<string> => {
  const numbers = { expectation: 0, exchange: 0 }
  let at = 0
  const lines = steps.map(({ after, command }) => {
    if (after !== "turn") at += after
    const moment = after === "turn" ? "same turn" : after === 0 ? "settled" : `${at} ms`
    return `${moment.padStart(10)}  ${commandLine(command, numbers)}`
  })
  const key = setup.requiresKey ? ", a key is required" : ""
  const ties =
    choices === null ? [] : [`${"".padStart(10)}  all of it as events of the clock, ties by [${choices.join(", ")}]`]
  return [`server: profile ${setup.profile}, ${setup.logEntriesMax} log entries${key}`, ...lines, ...ties]
}

const commandLine = (command: Command, numbers: { expectation: number; exchange: number }): string => {
  switch (command.type) {
    case "register": {
      const barriers = command.barriers.length === 0 ? "" : `, barriers ${command.barriers.map(barrierName).join(", ")}`
      const what = `${classLine(command.matcher)} answers ${scriptLine(command.script)}${barriers}`
      return `expectation ${numbers.expectation++} "${command.name}": ${what}`
    }
    case "misregister":
      return `a bad ${command.fault} in ${command.place === "queue" ? "a queue" : `an expectation "${command.name}"`}`
    case "request":
      return `request ${numbers.exchange++}: ${requestLine(command.request)}`
    case "stray":
      return `request ${numbers.exchange++}: refused for its ${command.stray}`
    case "resource":
      return `request ${numbers.exchange++}: GET ${command.resource}`
    case "omitted":
      if (command.instead === "request") numbers.exchange++
      if (command.instead === "register") numbers.expectation++
      return `(a ${command.instead} command is left out)`
    case "disconnect":
      return `the client of request ${command.exchange} goes away`
    case "read":
      return `the client of request ${command.exchange} reads what is there`
    case "release":
      return `release expectation ${command.expectation}${command.barrier === null ? "" : `, barrier ${command.barrier}`}`
    case "dispose":
    case "retire":
      return `${command.type} expectation ${command.expectation}`
    case "enqueue":
      return `enqueue for ${command.queue}: ${scriptLine(command.script)}`
    case "clearQueues":
      return "clear the queues"
    case "hold":
      return "hold agent completions"
    case "open":
      return "release agent completions"
    default:
      return settingLine(command)
  }
}

const settingLine = (
  command: Extract<
    Command,
    { type: "respond" | "turns" | "delay" | "stopReason" | "requireKey" | "keep" | "hang" | "close" }
  >
): string => {
  switch (command.type) {
    case "respond":
      return command.text === null ? "echo from now on" : `answer "${command.text}" from now on`
    case "turns":
      return `agent turns ${command.texts.map((text) => `"${text}"`).join(", ") || "none"}`
    case "delay":
      return command.ms === null ? "no chunk delay" : `chunk delay ${command.ms} ms`
    case "stopReason":
      return `stop reason ${command.reason}`
    case "requireKey":
      return command.on ? "require a key" : "require no key"
    case "hang":
      return command.on ? "hang on models and settings" : "hang no more"
    case "keep":
      return command.on ? "keep requests" : "keep no more requests"
    case "close":
      return `close, draining for ${command.drainMs} ms`
  }
}

const classLine = ({ endpoint, kind }: RequestClass): string => `${kind} ${endpoint}`

const scriptLine = ({ kind, events }: Script): string => (kind === "sse" ? `${events} events` : kind)

const requestLine = (request: RequestSpec): string => {
  const { endpoint, headers, id, body, tools, streams, spelling, key, windowBytes } = request
  const sent = {
    none: "no headers",
    id: `id ${id}`,
    turn: "a turn index",
    both: `id ${id} and a turn index`,
    empty: "empty headers"
  }[headers]
  const parts = [endpoint, sent]
  if (body === "toolResult") parts.push("with a tool result")
  if (tools > 0) parts.push(`${tools} tools`)
  if (!streams) parts.push("not streamed")
  if (spelling > 0) parts.push(`spelling ${spelling}`)
  if (key !== "none") parts.push(`key ${key}`)
  if (windowBytes !== null) parts.push(`reads ${windowBytes} bytes at a time`)
  return parts.join(", ")
}
