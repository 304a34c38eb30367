import { expect, test } from "vitest"
import { chat, messages, responses } from "../../src/sse.ts"

// Seen to fail with "Cannot read properties of undefined (reading 'split')".
test.each([
  ["chat", chat.call],
  ["responses", responses.call],
  ["messages", messages.call]
])("A call that is given a level too deep is refused by %s in words", (_, build) => {
  const nested: object = { model: "m", call: { callId: "c1", name: "look", arguments: "{}" } }

  expect(() => Reflect.apply(build, null, [nested])).toThrow(
    "the arguments of a tool call are undefined; give JSON text: a call is { callId, name, arguments } among the options"
  )
})
