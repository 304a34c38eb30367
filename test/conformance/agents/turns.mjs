import { deepEqual } from "node:assert/strict"
import { InferenceRequestMatcher, ScriptedResponse } from "llm-understudy"
import { chat, messages, responses } from "llm-understudy/sse"
import { paths } from "../scripts.mjs"

const model = "mock-model"
const builders = { ChatCompletions: chat, Responses: responses, Messages: messages }

export const textTurn = ({ endpoint }, text) =>
  ScriptedResponse.sse(builders[endpoint].text({ text, model, includeUsage: true }))

export const callTurn = ({ endpoint }, call) =>
  ScriptedResponse.sse(builders[endpoint].call({ ...call, model, includeUsage: true }))

/** The main turns of an agent, in order; the function it gives asserts that all of them were served. */
export const expectMainTurns = (server, { endpoint }, turns) => {
  const matcher = InferenceRequestMatcher.foreground(endpoint)
  const handles = turns.map((turn, index) => server.expectResponse(`turn ${index + 1}`, matcher, turn))
  return () => {
    for (const handle of handles) handle.assertSatisfied()
  }
}

/** The answers that were decided on, in order: `kind path`. */
export const decisions = (server) =>
  server
    .traceEvents()
    .filter(({ type }) => type === "decision")
    .map(({ kind, endpoint }) => `${kind} ${paths[endpoint]}`)

/** Asserts that a program ended well and that the server was asked for nothing but what it has. */
export const assertClean = (server, { exitCode, timedOut, stderr }, { refused = [] } = {}) => {
  deepEqual({ exitCode, timedOut }, { exitCode: 0, timedOut: false }, stderr)
  const others = server
    .traceEvents()
    .filter(({ type }) => type === "refused")
    .map(({ method, path, status }) => `${method} ${path} ${status}`)
  deepEqual(others, refused)
}

/** The main requests that the log has. */
export const mainRequests = (server) => {
  const numbers = server
    .traceEvents()
    .filter(({ type, kind }) => type === "decision" && kind === "foreground")
    .map(({ request }) => request)
  return server.requests().filter(({ number }) => numbers.includes(number))
}
