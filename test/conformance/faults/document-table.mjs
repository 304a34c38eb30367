// @ts-check
/** The text of a good answer, and its half. */
export const wholeText = "mock response recovered"
const halfText = "mock res"

/**
 * A fault of the document as ours: the column of the document where it has another name, the script of a server, by
 * endpoint where the document's fault differs by endpoint, and the shortest wait that it asks for.
 *
 * @typedef {{
 *   readonly name: string
 *   readonly column?: string
 *   readonly script: (endpoint: import("./observe.mjs").Caller["endpoint"]) => import("llm-understudy/faults").FaultServerOptions
 *   readonly waitMs?: number
 * }} DocumentFault
 */

/**
 * @param {string} behavior
 * @param {import("llm-understudy/faults").FaultOptions} [options]
 */
const once = (behavior, options = {}) => ({ sequence: [{ behavior, options }, "success"] })

/**
 * The columns. A stream of chat that ends after half of its events holds all of its text already.
 *
 * **Source** real-clients.md, section 2: the second table, and the sentence behind it
 *
 * @type {ReadonlyArray<DocumentFault>}
 */
export const documentFaults = [
  { name: "500 (default retries)", script: () => once("server_error") },
  { name: "429 Retry-After 2", script: () => once("rate_limit", { retryAfterMs: 2_000 }), waitMs: 2_000 },
  { name: "retry-after-ms 300", script: () => once("retry_after_ms", { retryAfterMs: 300 }), waitMs: 300 },
  { name: "permanent 500", script: () => ({ sequence: ["server_error"], repeatLast: true }) },
  { name: "reset", script: () => once("connection_reset", { resetMode: "rst" }) },
  { name: "reset mid-stream", script: () => once("partial_disconnect", { resetMode: "rst" }) },
  {
    name: "reset after the head",
    // A reset throws away what a client has not read: the document's may have come to this.
    column: "reset mid-stream",
    script: () => once("stream_disconnect", { resetMode: "rst" })
  },
  {
    name: "early end",
    script: (endpoint) => once("partial_eof", { partialText: endpoint === "ChatCompletions" ? wholeText : halfText })
  },
  { name: "broken JSON", script: () => once("malformed_json") },
  { name: "unknown event", script: () => once("unknown_event") },
  { name: "error event", script: () => once("error_event") },
  { name: "429 without Retry-After", script: () => once("quota_exceeded") },
  { name: "400 x-should-retry: true", script: () => once("retry_forced") }
]

/** What is not in the document, or cannot be had from our faults. */
export const absent = "–"

const columns = documentFaults.filter(({ column }) => column === undefined).map(({ name }) => name)

/**
 * What the document says of a client and a fault, word for word.
 *
 * @param {import("./observe.mjs").Caller} caller
 * @param {DocumentFault} fault
 */
export const documentCell = ({ name }, fault) =>
  documentCells[name]?.[columns.indexOf(fault.column ?? fault.name)] ?? absent

/**
 * The cells, word for word, in the order of the columns.
 *
 * **Source** real-clients.md, section 2
 *
 * @type {Readonly<Record<string, ReadonlyArray<string>>>}
 */
const documentCells = {
  "openai chat": [
    "r 0.5",
    "r 2.0",
    "r 0.33",
    "3 req, 0.5+1.0 s",
    "r 0.5",
    "fail `terminated`",
    "ok",
    "fail SyntaxError",
    "fail TypeError",
    "fail APIError",
    "r 0.45–0.5",
    "r"
  ],
  "openai responses.stream": [
    "r 0.5",
    "r 2.05",
    "r 0.33",
    "3 req",
    "r 0.4",
    "fail",
    "ok but text cut",
    "fail",
    'fail "Unhandled response stream event"',
    "fail",
    "r 0.45–0.5",
    "r"
  ],
  "@anthropic-ai/sdk stream": [
    "r 0.5",
    "r 2.05",
    "r 0.33",
    "3 req",
    "r 0.5",
    "fail",
    "fail",
    "ignored",
    "ok",
    "fail",
    absent,
    "r"
  ],
  "ai-sdk openai-compatible": [
    "r 2.0",
    "r 2.0",
    "r 0.33",
    "3 req, 2+4 s",
    "r 2.0",
    "fail",
    'fail "without a finish reason"',
    "fail JSONParseError",
    "fail TypeValidation",
    "fail",
    "r 2.0",
    "fail"
  ],
  "ai-sdk openai responses": [
    "r 2.0",
    "r 2.0",
    "r 0.36",
    "3 req, 2+4 s",
    "r 2.0",
    "r 2.05",
    "text cut",
    "fail",
    "ok",
    "fail",
    "r 2.0",
    "fail"
  ],
  "ai-sdk anthropic": [
    "r 2.0",
    "r 2.06",
    "r 0.35",
    "3 req, 2+4 s",
    "r 2.0",
    "r 2.07",
    "text cut",
    "fail",
    "fail TypeValidation",
    "fail",
    absent,
    "fail"
  ],
  "ai-sdk xai responses": [
    "r 2.0",
    "r 2.0",
    "r 0.34",
    "3 req",
    "r 2.0",
    "fail",
    "text cut",
    "fail",
    "fail",
    "fail",
    "r 2.0",
    "fail"
  ],
  "ai-sdk deepseek": [
    "r 2.05",
    "r 2.05",
    "r 0.34",
    "3 req",
    "r 2.0",
    "fail",
    "ok",
    "fail",
    "fail",
    "fail",
    "r 2.0",
    "fail"
  ],
  mistral: [
    "fail (no retry)",
    "fail",
    "fail",
    "1 req",
    "fail",
    "fail",
    "ok",
    "fail ZodError",
    "fail ZodError",
    "fail ZodError",
    absent,
    absent
  ]
}
