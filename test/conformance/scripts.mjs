import { InferenceRequestMatcher, ScriptedResponse } from "llm-understudy"
import { errorBody } from "llm-understudy/sse"

/** The paths of the queues. */
export const paths = {
  ChatCompletions: "/v1/chat/completions",
  Responses: "/v1/responses",
  Messages: "/v1/messages"
}

/** A response with headers added. */
export const withHeaders = (response, headers) => ({ ...response, headers: [...response.headers, ...headers] })

/** A response that ends otherwise than cleanly. */
export const endingBy = (response, ending) => ({ ...response, ending })

/** An event stream that is reset after so many events. */
export const cutAfter = (response, count) => ScriptedResponse.cut(response, { afterEvent: count, ending: "rst" })

/** A JSON reply that is reset in the middle of its body. */
export const halfOf = (response) =>
  ScriptedResponse.cut(response, {
    afterBytes: Math.floor(JSON.stringify(response.body.value).length / 2),
    ending: "rst"
  })

/** Bytes of an event stream, whatever they are. */
export const rawStream = (text) =>
  withHeaders(ScriptedResponse.text(200, text), [["content-type", "text/event-stream"]])

/** An HTTP error in the shape of an API. */
export const apiError = (endpoint, status, { headers = [], ...detail } = {}) =>
  withHeaders(ScriptedResponse.json(status, errorBody(endpoint, status, { message: "M", ...detail })), headers)

/** Asks for a retry after a millisecond. */
export const atOnce = [["retry-after-ms", "1"]]

/** Puts responses into the queue of an endpoint. */
export const enqueue = (server, endpoint, ...responses) => {
  for (const response of responses) server.enqueueResponse(paths[endpoint], response)
}

/**
 * The scripted turns of an agent that has two tools or more, as expectations; the function it gives asserts that all of
 * them were served.
 */
export const expectTurns = (server, endpoint, ...responses) => {
  const matcher = InferenceRequestMatcher.foreground(endpoint)
  const handles = responses.map((response, index) => server.expectResponse(`turn ${index + 1}`, matcher, response))
  return () => {
    for (const handle of handles) handle.assertSatisfied()
  }
}

/** The requests of an endpoint that the log has. */
export const requestsOf = (server, endpoint) => server.requests().filter(({ path }) => path === paths[endpoint])

/** What clients of this family write about their attempts. */
export const retryCounts = (server) => server.requests().map((entry) => entry.header("x-stainless-retry-count"))

/** What the server counted the requests as, in order: tries of one call. */
export const attempts = (server) =>
  server
    .traceEvents()
    .filter(({ type }) => type === "conversation")
    .map(({ attempt }) => attempt)
