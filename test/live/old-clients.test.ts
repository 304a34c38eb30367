import { connect } from "node:net"
import { expect, it } from "vitest"
import { MockInferenceServer } from "../../src/index.ts"

it("a client of HTTP/1.0 gets a stream without chunks, and its end is the end of the connection", async () => {
  await using server = await MockInferenceServer.start()
  const { port } = new URL(server.origin())
  const body = '{"stream":true}'
  const socket = connect(Number(port), "127.0.0.1")
  socket.write(
    `POST /v1/chat/completions HTTP/1.0\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  )
  let text = ""
  for await (const chunk of socket) text += String(chunk)

  const [head = "", stream = ""] = text.split("\r\n\r\n")
  expect(head).not.toContain("transfer-encoding")
  expect(stream.startsWith("data: {")).toBe(true)
  expect(stream.endsWith("data: [DONE]\n\n")).toBe(true)
})
