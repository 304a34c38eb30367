/** What is asked: an answer at once, or as a stream of events. */
export type ExchangeKind = "completion" | "stream"

/** Words of one length, so that who cuts at words and who cuts behind so many characters make the same chunks. */
export const chunkCount = 50
export const chunkChars = 7

const words = Array.from({ length: chunkCount }, (_, place) => `word${String(place).padStart(2, "0")}`)

/** What servers are told to answer. */
export const answerTexts: Readonly<Record<ExchangeKind, string>> = {
  completion: "Hello from the model.",
  stream: words.join(" ")
}

/** The key that clients send; no server asks for one. */
const key = "bench"

/**
 * A request, as it is written.
 *
 * **Takes** `promptBytes`: how long the only message is
 */
export const requestBytes = (
  kind: ExchangeKind,
  { promptBytes = 5 }: { readonly promptBytes?: number } = {}
): Buffer => {
  const content = "hello".padEnd(promptBytes, " hello")
  const body = JSON.stringify({ model: "gpt-5", stream: kind === "stream", messages: [{ role: "user", content }] })
  const head = [
    "POST /v1/chat/completions HTTP/1.1",
    "host: 127.0.0.1",
    `authorization: Bearer ${key}`,
    "content-type: application/json",
    "accept: application/json, text/event-stream",
    `content-length: ${Buffer.byteLength(body)}`
  ]
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`)
}
