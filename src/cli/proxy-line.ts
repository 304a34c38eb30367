import { answerRequest, type ControlAnswer } from "../proxy/control/answer-request.ts"
import type { ControlDesk } from "../proxy/control/control-desk.ts"
import { fittingAnswer } from "../proxy/control/fitting-answer.ts"
import { RunFailed } from "./command-io.ts"
import { readMemberFile } from "./proxy-plan-file.ts"
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
  if (text.startsWith("{")) return carriedOut(new TextEncoder().encode(text), desk)
  try {
    const read = readWords(wordsOfLine(text), readMemberFile)
    if ("problem" in read) return { ok: false, error: read.problem }
    return await carriedOut(new TextEncoder().encode(JSON.stringify(read.request)), desk)
  } catch (error) {
    if (!(error instanceof RunFailed)) throw error
    return { ok: false, error: [error.message, ...error.details].join(" ") }
  }
}

const carriedOut = async (request: Uint8Array, desk: ControlDesk): Promise<ControlAnswer> =>
  fittingAnswer(await answerRequest(request, desk)).answer
