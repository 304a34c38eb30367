import { makeAnswer } from "./agent-answer.ts"
import { makeAgentOutput } from "./agent-output.ts"
import type { FakeAgentPorts } from "./agent-ports.ts"
import { makeAgentSessions } from "./agent-sessions.ts"
import { verdictOn } from "./call-rules.ts"
import type { FakeAgentScript } from "./script.ts"

export const headlessFormats = ["text", "json", "ndjson"] as const
export type HeadlessFormatName = (typeof headlessFormats)[number]

/**
 * Runs one prompt, prints the answer, and ends the process: with 1 and the cause on stderr where there is none.
 *
 * Rules for the method `session/prompt` hold: what would be silent never ends. `text` is the answer and LF, `json` one
 * object with `text`, `stopReason` and `sessionId`, `ndjson` an event `text` a chunk and at last one `end`.
 *
 * **Source** agent-harness.md, appendix A
 *
 * @since 0.1.0
 * @category running
 */
export const runHeadlessPrompt = (
  script: FakeAgentScript,
  ports: FakeAgentPorts,
  { prompt, format, cwd }: { readonly prompt: string; readonly format: HeadlessFormatName; readonly cwd: string }
): void => {
  const output = makeAgentOutput({ ...script, noJsonrpc: false }, ports)
  const sessions = makeAgentSessions(ports.store)
  const session = sessions.create(cwd, "fake-model")
  let said = ""

  const exit = (code: number): void => output.behind(() => ports.end({ kind: "exit", code }))
  const fail = (reason: string): void => {
    ports.complain(`${reason}\n`)
    exit(1)
  }
  const finish = (): void => {
    sessions.change(session.id, {
      messages: [
        { role: "user", text: prompt },
        { role: "assistant", text: said }
      ]
    })
    const terminal = { stopReason: "end_turn", sessionId: session.id }
    if (format === "text") output.line(said)
    else if (format === "json") output.line(JSON.stringify({ text: said, ...terminal }, null, 2))
    else output.line(JSON.stringify({ type: "end", ...terminal }))
    exit(0)
  }
  const answer = (): void => {
    makeAnswer(script, {
      askModel: ports.askModel,
      messages: [{ role: "user", text: prompt }],
      sink: {
        text(piece) {
          said += piece
          if (format === "ndjson") output.line(JSON.stringify({ type: "text", text: piece }))
        },
        done: finish,
        failed: fail
      }
    })
  }
  const { delayMs, act } = verdictOn(script.rules, { method: "session/prompt", call: 1, afterChunks: null })
  const go = (): void => {
    if (act === null) answer()
    else if (act.kind === "error") fail(`error ${act.code}: ${act.message}`)
    else if (act.kind === "close output") output.behind(ports.closeOutput)
    else if (act.kind !== "silent") output.behind(() => ports.end(act))
  }

  for (const text of script.stderr) ports.complain(`${text}\n`)
  if (delayMs === 0) go()
  else ports.clock.arm(delayMs, "fake agent/delay", go)
}
