import fc from "fast-check"
import { cutAt } from "./acp-lines.ts"

/** How a body is told on the wire. */
export type BodyForm = "none" | "length" | "chunks" | "close"

/** A message as bytes (a character each), and what it says. */
export interface WrittenMessage {
  readonly text: string
  /** Method and URL, or the status. */
  readonly start: string
  readonly headers: ReadonlyArray<string>
  readonly body: string
  readonly trailers: ReadonlyArray<string>
  readonly informed: ReadonlyArray<number>
}

/** A request and what is answered. */
export interface WrittenExchange {
  readonly method: string
  readonly request: WrittenMessage
  readonly response: WrittenMessage
}

const ends = fc.constantFrom("\n", "\r\n", "\r")
const streamLine = fc.constantFrom(
  "data: a",
  'data: {"type":"x","n":1}',
  "data",
  "data:",
  "data: [DONE]",
  "event: x",
  ": ping",
  "id: 1",
  "datum: 1",
  "",
  ""
)

/** Text like an event stream; its lines end in one way, or in any. */
export const eventStreams = fc
  .oneof(
    ends.map((end) => fc.constant(end)),
    fc.constant(ends)
  )
  .chain((end) =>
    fc.tuple(fc.constantFrom("", "\u00ef\u00bb\u00bf"), fc.array(fc.tuple(streamLine, end), { maxLength: 16 }))
  )
  .map(([mark, lines]) => mark + lines.map((line) => line.join("")).join(""))

const latin1 = fc.array(fc.nat(255), { maxLength: 40 }).map((bytes) => String.fromCharCode(...bytes))
const payloads = fc.oneof(
  fc.record({ type: fc.constant("text/event-stream"), body: eventStreams }),
  fc.record({ type: fc.constantFrom("application/json", "text/plain"), body: fc.oneof(latin1, fc.json()) })
)

const chunkCuts = fc.record({
  places: fc.array(fc.nat(1_000), { maxLength: 5 }),
  extension: fc.constantFrom("", ";a", ';a="b"'),
  trailers: fc.constantFrom([], ["x-sum: 1"], ["x-sum: 1", "y: "])
})

const chunkText = (
  body: string,
  { places, extension }: { readonly places: ReadonlyArray<number>; readonly extension: string }
) =>
  cutAt(
    Uint8Array.from(body, (letter) => letter.charCodeAt(0)),
    places.map((place) => place / 1_000)
  )
    .filter((piece) => piece.length > 0)
    .map((piece) => `${piece.length.toString(16)}${extension}\r\n${String.fromCharCode(...piece)}\r\n`)
    .join("")

/** A body on the wire, and the headers that tell it. */
const wired = (options: {
  readonly form: BodyForm
  readonly body: string
  readonly cuts: {
    readonly places: ReadonlyArray<number>
    readonly extension: string
    readonly trailers: ReadonlyArray<string>
  }
}): { readonly headers: ReadonlyArray<string>; readonly text: string; readonly trailers: ReadonlyArray<string> } => {
  const { form, body, cuts } = options
  if (form === "length") return { headers: [`Content-Length: ${body.length}`], text: body, trailers: [] }
  if (form === "chunks") {
    const { trailers } = cuts
    const text = `${chunkText(body, cuts)}0\r\n${trailers.map((line) => `${line}\r\n`).join("")}\r\n`
    return { headers: ["transfer-encoding: chunked"], text, trailers }
  }
  return { headers: [], text: form === "close" ? body : "", trailers: [] }
}

const extraHeaders = fc.constantFrom<ReadonlyArray<string>>(
  [],
  ["x-kept: 1"],
  ["Accept-Encoding: gzip, br", "X-B: \u00e9"]
)

const requests = fc
  .record({
    method: fc.constantFrom("GET", "HEAD", "POST", "PUT"),
    url: fc.constantFrom("/", "/v1/chat?a=%20", "*"),
    extra: extraHeaders,
    form: fc.constantFrom<BodyForm>("none", "length", "chunks"),
    payload: payloads,
    cuts: chunkCuts,
    space: fc.constantFrom("", "\r\n")
  })
  .map(({ method, url, extra, form, payload, cuts, space }) => {
    const body = wired({ form, body: payload.body, cuts })
    const headers = ["Host: a.test", ...extra, `Content-Type: ${payload.type}`, ...body.headers]
    return {
      method,
      request: {
        text: `${space}${method} ${url} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${body.text}`,
        start: `${method} ${url}`,
        headers,
        body: form === "none" ? "" : payload.body,
        trailers: body.trailers,
        informed: []
      }
    }
  })

const responses = fc.record({
  informed: fc.constantFrom<ReadonlyArray<number>>([], [], [100], [103, 100]),
  status: fc.constantFrom(200, 200, 200, 404, 204, 304),
  extra: extraHeaders,
  form: fc.constantFrom<BodyForm>("length", "chunks", "close"),
  payload: payloads,
  cuts: chunkCuts
})

/** Requests and their answers, one behind the other on one connection; a body up to its end stands last. */
export const exchanges: fc.Arbitrary<ReadonlyArray<WrittenExchange>> = fc
  .array(fc.tuple(requests, responses), { minLength: 1, maxLength: 4 })
  .map((drawn) =>
    drawn.map(([{ method, request }, { informed, status, extra, form: wished, payload, cuts }], place) => {
      const form: BodyForm = wished === "close" && place < drawn.length - 1 ? "length" : wished
      const told = wired({ form, body: payload.body, cuts })
      const isEmpty = method === "HEAD" || status === 204 || status === 304
      // A head without a length would have its client read on where a body cannot be.
      const headers = [...extra, `Content-Type: ${payload.type}`, ...told.headers]
      const before = informed.map((code) => `HTTP/1.1 ${code} x\r\n\r\n`).join("")
      return {
        method,
        request,
        response: {
          text: `${before}HTTP/1.1 ${status} Reason \r\n${headers.join("\r\n")}\r\n\r\n${isEmpty ? "" : told.text}`,
          start: `${status}`,
          headers,
          body: isEmpty ? "" : payload.body,
          trailers: isEmpty ? [] : told.trailers,
          informed
        }
      }
    })
  )
