import { createServer, type ServerResponse } from "node:http"
import { answerTexts } from "./exchanges.ts"

/* The server that everything is compared with: reads a request to its end, and writes what it was given, events one by one. */

const completion = JSON.stringify({
  id: "chatcmpl-bare",
  object: "chat.completion",
  created: 1_234_567_890,
  model: "gpt-5",
  choices: [{ index: 0, message: { role: "assistant", content: answerTexts.completion }, finish_reason: "stop" }],
  usage: { prompt_tokens: 2, completion_tokens: 5, total_tokens: 7 }
})

const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({
    id: "chatcmpl-bare",
    object: "chat.completion.chunk",
    created: 1_234_567_890,
    model: "gpt-5",
    choices: [{ index: 0, delta, finish_reason }]
  })}\n\n`

const events = [
  chunk({ role: "assistant", content: "" }),
  ...answerTexts.stream.split(/(?= )/).map((content) => chunk({ content })),
  chunk({}, "stop"),
  "data: [DONE]\n\n"
]

const answer = (body: string, response: ServerResponse): void => {
  if (JSON.parse(body).stream === true) {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" })
    for (const event of events) response.write(event)
    response.end()
    return
  }
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(completion) })
  response.end(completion)
}

const server = createServer((request, response) => {
  let body = ""
  request.setEncoding("utf8")
  request.on("data", (piece: string) => {
    body += piece
  })
  request.on("end", () => answer(body, response))
})

server.listen(Number(process.argv[2]), "127.0.0.1")
process.once("SIGTERM", () => process.exit())
