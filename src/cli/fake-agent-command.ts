import { type Command, makeCommand } from "./command.ts"
import { fakeAgentOptions } from "./fake-agent-options.ts"
import { checkFakeAgent } from "./fake-agent-script.ts"
import { wordsWithVariables } from "./fake-agent-words.ts"
import { fakeLeaderClientCommand } from "./fake-leader-client-command.ts"
import { fakeLeaderCommand } from "./fake-leader-command.ts"

const notes = `CALL is a method (* for any), METHOD#N its Nth call, session/prompt@N the moment behind N chunks of an answer:
--delay session/prompt#2=500 --exit-on session/prompt@1=3. Options with a value may be repeated where
that makes sense; what a turn asks and tells comes in the order of this list. The responses of the
client come back in _meta.heard of the prompt's result.

It reads and writes ACP, one JSON-RPC message a line, and ends with its input; with --prompt it answers
once and exits. A variable FIXTURE_CHUNK_BYTES stands for --chunk-bytes, and so on, with one value a line.

--replay FILE is the agent of a recorded session: what it said comes when as many lines of the client
have arrived as then, under the ids of the client at hand. Another line than was recorded, by kind and
method, is answered with an error and ends it with exit code 1.

Its first word may be another program of this kind: "leader", an agent that several clients share, and
"leader-client", which is such a client. "understudy fake-agent leader --help" says more.

Exit codes: 0 when the input has ended; 1 a failed prompt or replay; 2 a bad command line; or what was
asked for.`

const command = makeCommand({
  name: "fake-agent",
  summary: "Be an agent that speaks ACP and does what it is told, faults included",
  options: fakeAgentOptions,
  notes,
  check: checkFakeAgent,
  start: async (given, io) => (await import("./fake-agent.ts")).fakeAgent(given, io)
})

/** Other programs of the same kind, by the word that comes first. */
const others: Readonly<Record<string, Command>> = {
  leader: fakeLeaderCommand,
  "leader-client": fakeLeaderClientCommand
}

/** `understudy fake-agent`: what it does is loaded when it is asked for. */
export const fakeAgentCommand: Command = {
  summary: command.summary,
  run(argv, io) {
    const [first = "", ...rest] = argv
    const other = Object.hasOwn(others, first) ? others[first] : undefined
    if (other !== undefined) return other.run(rest, io)
    return command.run(wordsWithVariables(argv, { table: fakeAgentOptions, variables: process.env }), io)
  }
}
