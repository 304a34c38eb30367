import type { AnswerSink, AskModel, ChatMessage } from "../../ports/agent-surroundings.ts"
import type { FakeAgentScript } from "./script.ts"

/**
 * Makes the answer to the last of some messages, chunk by chunk.
 *
 * **Gives** what breaks it off; where nothing is asked, all has come before it is given
 *
 * @since 0.1.0
 * @category running
 */
export const makeAnswer = (
  { answer, chunks }: Pick<FakeAgentScript, "answer" | "chunks">,
  options: {
    readonly askModel: AskModel
    readonly messages: ReadonlyArray<ChatMessage>
    readonly sink: AnswerSink
  }
): (() => void) => {
  const { askModel, messages, sink } = options
  if (answer.kind === "mock") return askModel(messages, chunks === null ? sink : gathered(sink, chunks))
  const prompt = messages.at(-1)?.text ?? ""
  const whole = answer.kind === "echo" ? `Echo: ${prompt}` : answer.text
  const asMade = answer.kind === "echo" ? ["Echo: ", prompt] : [whole]
  for (const piece of chunks === null ? asMade : inChunks(whole, chunks)) sink.text(piece)
  sink.done()
  return () => {}
}

/** The whole text first, then so many chunks. */
const gathered = (sink: AnswerSink, chunks: number): AnswerSink => {
  let whole = ""
  return {
    text(piece) {
      whole += piece
    },
    done() {
      for (const piece of inChunks(whole, chunks)) sink.text(piece)
      sink.done()
    },
    failed: sink.failed
  }
}

/**
 * A text in so many chunks of characters, the first ones longer by one; the last ones are empty where characters are too few.
 *
 * @since 0.1.0
 * @category encoding
 */
export const inChunks = (text: string, count: number): ReadonlyArray<string> => {
  const characters = [...text]
  const size = Math.floor(characters.length / count)
  const longer = characters.length % count
  let from = 0
  return Array.from({ length: count }, (_, index) => {
    const piece = characters.slice(from, from + size + (index < longer ? 1 : 0))
    from += piece.length
    return piece.join("")
  })
}
