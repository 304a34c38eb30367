import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { isRecord } from "../../src/domain/json.ts"

/** When a tool answers, in milliseconds, and whether the stream that asked for it stays until then. */
export interface ToolTime {
  readonly ms: number
  /** Otherwise the stream ends at once, and the answer is for who comes again, as the protocol allows. */
  readonly isKept: boolean
}

/** A server of MCP over streamable HTTP, as small as it can be: every answer is an event with an id of its stream. */
export interface McpServer {
  readonly listener: RequestListener
  /** Whether the event of this id is the answer that its stream is for. */
  isAnswer(eventId: string): boolean
}

/**
 * Streams are resumable: `GET` with `last-event-id` gets what comes behind that event. There is no stream beside those of
 * requests.
 */
export const makeMcpServer = (toolTime: () => ToolTime): McpServer => {
  let streams = 0
  const answers = new Set<string>()
  /** What a stream still has to say, by the id of the last event that was said on it. */
  const kept = new Map<string, (response: ServerResponse) => void>()

  const say = (response: ServerResponse, id: string, message: object): void => {
    response.write(`id: ${id}\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`)
  }

  const answerTool = (response: ServerResponse, stream: string, id: unknown): void => {
    const { ms, isKept } = toolTime()
    const answer = (to: ServerResponse): void => {
      say(to, `${stream}/answer`, { id, result: { content: [{ type: "text", text: "done" }] } })
      answers.add(`${stream}/answer`)
      to.end()
    }
    say(response, `${stream}/begin`, {
      method: "notifications/message",
      params: { level: "info", data: "working" }
    })
    if (isKept) setTimeout(() => answer(response), ms)
    else {
      kept.set(`${stream}/begin`, answer)
      response.end()
    }
  }

  const post = (message: unknown, response: ServerResponse): void => {
    const { method, id } = isRecord(message) ? message : {}
    if (id === undefined) {
      response.writeHead(202).end()
      return
    }
    const stream = `stream-${++streams}`
    response.writeHead(200, { "content-type": "text/event-stream" })
    if (method === "tools/call") answerTool(response, stream, id)
    else {
      answers.add(`${stream}/answer`)
      say(response, `${stream}/answer`, { id, result: resultOf(message) })
      response.end()
    }
  }

  const get = ({ headers }: IncomingMessage, response: ServerResponse): void => {
    const last = headers["last-event-id"]
    if (typeof last !== "string") {
      response.writeHead(405).end()
      return
    }
    response.writeHead(200, { "content-type": "text/event-stream" })
    const rest = kept.get(last)
    if (rest === undefined) response.end()
    else rest(response)
  }

  return {
    isAnswer: (eventId) => answers.has(eventId),
    listener(request, response) {
      if (request.method === "GET") get(request, response)
      else {
        const pieces: Array<Uint8Array> = []
        request.on("data", (piece: Uint8Array) => pieces.push(piece))
        request.on("end", () => post(JSON.parse(Buffer.concat(pieces).toString()), response))
      }
    }
  }
}

/** `initialize` wants to know who this is; of all else there is nothing. */
const resultOf = (message: unknown): object => {
  const params = isRecord(message) ? message["params"] : null
  if (!isRecord(params) || params["protocolVersion"] === undefined) return {}
  return {
    protocolVersion: params["protocolVersion"],
    capabilities: { tools: {}, logging: {} },
    serverInfo: { name: "corpus", version: "1.0.0" }
  }
}
