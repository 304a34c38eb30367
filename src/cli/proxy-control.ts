import { member } from "../domain/json.ts"
import { makeLiveStreams } from "../live/stream-sockets.ts"
import type { StreamAddress, StreamProblem } from "../ports/stream-port.ts"
import { readEndpoint } from "../proxy/endpoint.ts"
import { refuse } from "./command.ts"
import { type CommandIo, exitCodes, RunFailed } from "./command-io.ts"
import { readMemberFile } from "./proxy-plan-file.ts"
import { readWords } from "./proxy-words.ts"

/**
 * Sends one command to the control socket of a proxy, and gives the exit code.
 *
 * @since 0.1.0
 * @category running
 */
export const proxyControl = async (
  [endpoint = "", ...words]: ReadonlyArray<string>,
  io: CommandIo
): Promise<number> => {
  try {
    const read = readWords(words, readMemberFile)
    if ("problem" in read) return refuse(io, "understudy proxy-control", [read.problem])
    const answer = await answerOf(readEndpoint(endpoint), `${JSON.stringify(read.request)}\n`)
    io.stdout.write(`${answer}\n`)
    return member(JSON.parse(answer), "ok") === true ? exitCodes.ok : exitCodes.failed
  } catch (error) {
    if (!(error instanceof RunFailed)) throw error
    io.stderr.write(["", ...error.details].reduce((text, line) => `${text}${line}\n`, `understudy: ${error.message}`))
    return exitCodes.failed
  }
}

/** The line that is answered to a line. **Fails** with `RunFailed` */
const answerOf = (address: StreamAddress, line: string): Promise<string> =>
  new Promise((resolve, reject) => {
    makeLiveStreams().connect(address, {
      failed: (problem) => reject(new RunFailed(unreachable(problem))),
      opened(socket) {
        const decoder = new TextDecoder()
        let text = ""
        socket.write(new TextEncoder().encode(line), () => {})
        return {
          received(bytes) {
            text += decoder.decode(bytes, { stream: true })
            const end = text.indexOf("\n")
            if (end < 0) return
            resolve(text.slice(0, end))
            socket.destroy()
          },
          ended: () => socket.destroy(),
          closed: () => reject(new RunFailed("the proxy has gone without an answer; look at what it says itself"))
        }
      }
    })
  })

const unreachable = ({ reason }: StreamProblem): string =>
  `no proxy is commanded there: ${reason}; give what --control of a running "understudy proxy" says`
