const decoder = new TextDecoder()

/** A match for frames with a message of the agent protocol, which is a text in their JSON. */
export const messages = (isWanted) => ({
  where: { "/type": "acp" },
  test: ({ payload }) => isWanted(JSON.parse(payload))
})

/** A rule for the first such message of the first connection. */
export const once = (direction, isWanted, action) => ({
  id: "once",
  direction,
  connection: 1,
  match: messages(isWanted),
  action,
  times: 1
})

export const isPrompt = ({ method }) => method === "session/prompt"

export const isText = ({ method, params }) =>
  method === "session/update" && params.update.sessionUpdate === "agent_message_chunk"

/** An answer to a prompt. */
export const isTurnEnd = ({ id, result }) => id !== undefined && result?.stopReason !== undefined

export const isTurnEndNews = ({ method, params }) =>
  method === "_x.ai/session_notification" && params.update.sessionUpdate === "turn_completed"

export const saysText = (text) => (message) => isText(message) && message.params.update.content.text === text

/** What was recorded of a direction of a connection. */
export const recordedOf = (proxy, direction, connection = 1) =>
  proxy.recording().frames.filter((frame) => frame.direction === direction && frame.connection === connection)

/** The same, decoded. */
export const framesOf = (proxy, direction, connection) =>
  recordedOf(proxy, direction, connection).map(({ bytes, headerBytes }) =>
    JSON.parse(decoder.decode(bytes.subarray(headerBytes)))
  )

/** The messages of the agent protocol that were recorded of a direction. */
export const messagesOf = (proxy, direction, connection) =>
  framesOf(proxy, direction, connection)
    .filter(({ type }) => type === "acp")
    .map(({ payload }) => JSON.parse(payload))

const eventsOf = (proxy, rule) => proxy.events().filter(({ type, rules }) => type === "frame" && rules.includes(rule))

/** What was done to the frames that a rule is about, in order. */
export const actionsOf = (proxy, rule) => eventsOf(proxy, rule).map(({ action }) => action)
