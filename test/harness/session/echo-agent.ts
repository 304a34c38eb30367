import { chunk, type SimAnswer } from "./sim-session.ts"

/** Answers what a client has to ask, and echoes prompts. */
export const echo: SimAnswer = (message, side) => {
  if (message["method"] === "initialize")
    side.result(message, { protocolVersion: 1, authMethods: [{ id: "xai.api_key" }] })
  else if (message["method"] === "session/new") side.result(message, { sessionId: "s1" })
  else if (message["method"] === "session/prompt") {
    side.say(chunk("Echo: "), chunk("hello"), { id: message["id"], result: { stopReason: "end_turn" } })
  } else if (message["id"] !== undefined) side.result(message, {})
}

/** Answers as `echo` does, but for one method. */
export const but =
  (method: string, answer: SimAnswer): SimAnswer =>
  (message, side) =>
    (message["method"] === method ? answer : echo)(message, side)

/** What a promise came to, an error as a value. */
export const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => ({ value }),
    (error) => error
  )
