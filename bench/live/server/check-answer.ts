import { answerTexts, chunkCount, type ExchangeKind } from "./exchanges.ts"

/**
 * What is wrong with the body of an answer; `null` when nothing is.
 *
 * **Takes** the body without chunks of the transfer
 */
export const problemOf = (kind: ExchangeKind, body: string): string | null => {
  try {
    return kind === "completion" ? completionProblem(JSON.parse(body)) : streamProblem(body)
  } catch (error) {
    return `cannot be read (${error instanceof Error ? error.message : error}): ${body.slice(0, 200)}`
  }
}

interface Completion {
  readonly choices?: ReadonlyArray<{
    readonly message?: { readonly content?: unknown }
    readonly delta?: { readonly content?: unknown }
  }>
}

const completionProblem = (completion: Completion): string | null => {
  const content = completion.choices?.[0]?.message?.content
  return content === answerTexts.completion ? null : `the content is ${JSON.stringify(content)}`
}

const done = "[DONE]"

const streamProblem = (body: string): string | null => {
  const events = body.split("\n\n").filter((block) => block !== "")
  const data = events.map((event) => /^data: (.*)$/.exec(event)?.[1])
  if (data.at(-1) !== done) return `the last event is ${JSON.stringify(events.at(-1))}`
  const contents = data.slice(0, -1).flatMap((text) => {
    const chunk: Completion = JSON.parse(text ?? "")
    const content = chunk.choices?.[0]?.delta?.content
    return typeof content === "string" && content !== "" ? [content] : []
  })
  if (contents.join("") !== answerTexts.stream) return `the content is ${JSON.stringify(contents.join(""))}`
  return contents.length === chunkCount ? null : `${contents.length} chunks have content, not ${chunkCount}`
}
