import { InvalidOption } from "../../domain/errors.ts"
import { isRecord } from "../../domain/json.ts"
import { aFunction, check, checkOption, having, madeOf, recordOf } from "../../domain/option-checks.ts"
import type { TextMap } from "../profile/agent-profile.ts"
import type { SessionEnd } from "../session/agent-session.ts"
import type { WireLog } from "../wire/wire-log.ts"
import { makeRecorder } from "./recorder.ts"
import { redactedWireLine } from "./redacted-line.ts"

/** What else is known of a session that is recorded. */
export interface SessionRecordingOptions {
  /** The variables that the agent was started with, `agent.sandbox.environment()`: what is secret among them is not kept. */
  readonly variables: TextMap
  /** How the agent ended, as its `close` tells it. Without it the recording has no end, and its agent stays until its input ends. */
  readonly end?: SessionEnd
}

/**
 * The wire of a session as the text of a recording, for `understudy fake-agent --replay` and `simFakeAgent`.
 *
 * **Fails** with `InvalidOption` when the session was too long, and its first lines are not known any more, and for what is
 * no session
 *
 * @since 0.1.0
 * @category encoding
 */
export const sessionRecording = (session: { readonly wireLog: WireLog }, options: SessionRecordingOptions): string => {
  checkOption(sessionCheck, session, "the session")
  checkOption(optionsCheck, options, "options")
  const { wireLog } = session
  const { variables, end } = options
  if (wireLog.isTruncated())
    throw new InvalidOption("the first lines of the session were dropped; record a shorter one")
  const entries = wireLog.entries()
  const lines: Array<string> = []
  let now = entries[0]?.at ?? 0
  const recorder = makeRecorder({
    clock: { now: () => now },
    append: (line) => void lines.push(`${line}\n`),
    redact: redactedWireLine(variables)
  })
  for (const { direction, at, text } of entries) {
    now = at
    recorder.line(direction === "in" ? "agent" : "client", text)
  }
  if (end?.signal != null) recorder.ended({ kind: "crash", signal: end.signal })
  else if (end?.exitCode != null) {
    // Who leaves by itself has read the end of its input.
    recorder.inputEnded()
    recorder.ended({ kind: "exit", code: end.exitCode })
  }
  return lines.join("")
}

const sessionCheck = having({ wireLog: having({ isTruncated: aFunction, entries: aFunction }) })
const optionsCheck = madeOf({
  // What they hold may be a secret.
  needs: {
    variables: recordOf((value, path) => (typeof value === "string" ? null : `${path} is no text; give a text`))
  },
  may: { end: check(isRecord, "what close gives") }
})
