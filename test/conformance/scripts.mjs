import { setTimeout as delay } from "node:timers/promises"
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

/** All items of a stream. */
export const collect = async (stream) => {
  const items = []
  for await (const item of await stream) items.push(item)
  return items
}

/** The items of a stream up to its error, and the error. */
export const collectUntilError = async (stream) => {
  const items = []
  try {
    for await (const item of await stream) items.push(item)
  } catch (error) {
    return { items, error }
  }
  return { items, error: undefined }
}

/** The reason for which a promise rejects; fails when it does not. */
export const rejection = async (promise) => {
  let value
  try {
    value = await promise
  } catch (error) {
    return error
  }
  throw new Error(`should have failed, but gave ${JSON.stringify(value)}`)
}

/** Whether nothing has come of a promise after a time. The one fact that takes a pause to see. */
export const isPendingAfter = async (promise, ms) => {
  const pending = Symbol("pending")
  const settled = promise.then(
    () => null,
    () => null
  )
  return (await Promise.race([settled, delay(ms, pending)])) === pending
}

/** Waits for a trace event that has come or will come. */
export const traced = (server, isWanted) =>
  new Promise((resolve) => {
    const stop = server.watchTrace((event) => {
      if (!isWanted(event)) return
      stop()
      resolve(event)
    })
    const found = server.traceEvents().find(isWanted)
    if (found === undefined) return
    stop()
    resolve(found)
  })
