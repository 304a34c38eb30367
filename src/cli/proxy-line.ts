import { answerRequest, type ControlAnswer } from "../proxy/control/answer-request.ts"
import type { ControlDesk } from "../proxy/control/control-desk.ts"
import { readDocumentFile } from "./proxy-plan-file.ts"
import { readWords, wordsOfLine } from "./proxy-words.ts"

/**
 * Carries out a line of standard input: the words of a command, or a request as the control socket takes it.
 *
 * **Gives** the answer; `null` for an empty line
 * **Fails** never
 *
 * @since 0.1.0
 * @category running
 */
export const answerLine = async (line: string, desk: ControlDesk): Promise<ControlAnswer | null> => {
  const text = line.trim()
  if (text === "") return null
  if (text.startsWith("{")) return answerRequest(new TextEncoder().encode(text), desk)
  const read = readWords(wordsOfLine(text), (file) => readDocumentFile(file).value)
  if ("problem" in read) return { ok: false, error: read.problem }
  return answerRequest(new TextEncoder().encode(JSON.stringify(read.request)), desk)
}
