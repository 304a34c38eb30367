import { endpointPaths, type InferenceEndpoint } from "../../src/domain/endpoint.ts"
import type { MockInferenceServer, TraceEvent } from "../../src/index.ts"
import { userBody } from "../support/requests.ts"
import type { Stage } from "./stage.ts"

/** What a client asks, and how. */
export interface Ask {
  readonly endpoint?: InferenceEndpoint
  readonly text?: string
  readonly stream?: boolean
  /** Two requests with one id are the same call. */
  readonly id?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** The client leaves when it has read this; say what comes last, for how bytes come in pieces is not promised. */
  readonly leavesAt?: string
}

/** Headers that are made by the framing of a message, and differ where messages are not framed. */
const framing: ReadonlyArray<string> = ["connection", "keep-alive", "transfer-encoding", "date", "content-length"]

/** Asks once at a server, and tells all that the client sees of the answer, to its end. */
export const ask = async (
  stage: Stage,
  client: string,
  origin: string,
  { endpoint = "ChatCompletions", text = "hello", stream = false, id, headers = {}, signal, leavesAt }: Ask = {}
): Promise<void> => {
  const leave = new AbortController()
  const tell = (what: unknown): void => stage.tell(client, what)
  let body = ""
  try {
    const response = await stage.fetch(client)(`${origin}${endpointPaths[endpoint]}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        // Else every fetch says its own.
        "user-agent": "client",
        ...(id === undefined ? {} : { "x-grok-req-id": id, "x-grok-turn-idx": "1" }),
        ...headers
      },
      body: JSON.stringify({ ...userBody(endpoint, text), stream }),
      signal: signal ?? leave.signal
    })
    tell({ status: response.status, headers: [...response.headers].filter(([name]) => !framing.includes(name)) })
    // Byte for byte: what is no text stays what it is.
    const decoder = new TextDecoder("latin1")
    for await (const piece of response.body ?? []) {
      body += decoder.decode(piece)
      if (leavesAt !== undefined && body.includes(leavesAt)) leave.abort()
    }
    tell({ body, ended: "whole" })
  } catch (error) {
    tell({ body, ended: wordsOf(error) })
  }
}

/** Waits until the trace of a server has an event. */
export const traced = (
  server: Pick<MockInferenceServer, "traceEvents" | "watchTrace">,
  isWanted: (event: TraceEvent) => boolean
): Promise<void> =>
  new Promise((resolve) => {
    if (server.traceEvents().some(isWanted)) {
      resolve()
      return
    }
    const stop = server.watchTrace((event) => {
      if (!isWanted(event)) return
      stop()
      resolve()
    })
  })

/** An error with its causes. */
export const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const code = "code" in error && typeof error.code === "string" ? ` (${error.code})` : ""
  const cause = error.cause === undefined ? "" : `, because of ${wordsOf(error.cause)}`
  return `${error.name}${code}: ${error.message}${cause}`
}
