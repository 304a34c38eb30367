import { readFileSync } from "node:fs"
import type { FakeAgentPorts, RunningFakeAgent } from "../harness/fake-agent/agent-ports.ts"
import { makeFakeAgent } from "../harness/fake-agent/fake-agent.ts"
import { runHeadlessPrompt } from "../harness/fake-agent/headless-run.ts"
import { readFakeScript } from "../harness/fake-agent/read-script.ts"
import { calmScript, type FakeAgentScript } from "../harness/fake-agent/script.ts"
import { recordAgent } from "../harness/recording/recorded-agent.ts"
import { makeRecorder, type Recorder } from "../harness/recording/recorder.ts"
import { type Recording, readRecording } from "../harness/recording/recording.ts"
import { redactedWireLine } from "../harness/recording/redacted-line.ts"
import { makeReplayedAgent } from "../harness/recording/replayed-agent.ts"
import { liveClock } from "../live/clock.ts"
import { type LineFile, openLineFile } from "../live/line-file.ts"
import { startGrandchild } from "../live/own-process.ts"
import { refuse, say } from "./command.ts"
import { type CommandIo, exitCodes } from "./command-io.ts"
import { fakeAgentOptions as options } from "./fake-agent-options.ts"
import { fakeAgentPorts, feedAgent } from "./fake-agent-process.ts"
import { scriptWithOptions } from "./fake-agent-script.ts"
import type { GivenOptions } from "./option-table.ts"
import { scriptText } from "./script-file.ts"

/**
 * Is a fake agent on the streams of this process, until it ends.
 *
 * **Gives** the exit code; by then the process was asked to exit with it
 *
 * @since 0.1.0
 * @category running
 */
export const fakeAgent = async (given: GivenOptions, io: CommandIo): Promise<number> => {
  if (given.has(options["print-env"])) return say(io, `${JSON.stringify(process.env)}\n`)
  const files = readFiles(given)
  if ("problem" in files) return refuse(io, "understudy fake-agent", [files.problem])
  const { script, recording, record } = files

  if (script.ignoreTerm) io.onSignal((signal) => (signal === "SIGTERM" ? undefined : io.exit(exitCodes[signal])))
  if (script.grandchild !== null) {
    io.stderr.write(`grandchild ${startGrandchild(script.grandchild) ?? "was refused"}\n`)
  }
  const prompt = given.value(options.prompt)
  const stdin = prompt === undefined ? await io.stdin() : null
  return new Promise((ended) => {
    const ports = fakeAgentPorts(given, { io, ended })
    if (prompt !== undefined) {
      const format = given.value(options["output-format"]) ?? "text"
      runHeadlessPrompt(script, ports, { prompt, format, cwd: process.cwd() })
      return
    }
    const make = (inner: FakeAgentPorts): RunningFakeAgent =>
      recording === null ? makeFakeAgent(script, inner) : makeReplayedAgent(recording, inner)
    const agent = record === null ? make(ports) : recordAgent(recorderTo(record), { ports, make })
    feedAgent(agent, { stdin, log: given.value(options["log-input"]), keepsAlive: script.ignoreEof })
  })
}

interface AskedFiles {
  readonly script: FakeAgentScript
  /** The session to replay; `null` for none. */
  readonly recording: Recording | null
  /** Where the session is written down; `null` for nowhere. */
  readonly record: LineFile | null
}

const recorderTo = ({ append }: LineFile): Recorder =>
  makeRecorder({ clock: liveClock, append, redact: redactedWireLine(ownVariables()) })

const ownVariables = (): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(process.env).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])))

const readFiles = (given: GivenOptions): AskedFiles | { readonly problem: string } => {
  const script = given.value(options.script)
  const replay = given.value(options.replay)
  const record = given.value(options.record)
  try {
    const base = script === undefined ? calmScript : readFakeScript(JSON.parse(scriptText(script)))
    return {
      script: scriptWithOptions(base, given),
      recording: replay === undefined ? null : readRecording(readFileSync(replay, "utf8")),
      record: record === undefined ? null : openLineFile(record)
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return {
      problem: `cannot use ${[script, replay, record]
        .flatMap((file) => file ?? [])
        .map((file) => JSON.stringify(file))
        .join(" and ")}: ${reason}`
    }
  }
}
