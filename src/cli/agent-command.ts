import { agentOperands, agentOptions, checkAgentOptions, toAgentAsked } from "./agent-options.ts"
import { makeCommand } from "./command.ts"

const notes = `It starts a mock provider on this machine, makes a sandbox (a home, a workspace and an environment of its own),
starts the agent in it, and leaves nothing behind. Words of the agent come on stdout; what it does, how
long it took and the requests that the mock saw come on stderr.

With --acp and no --prompt each line of standard input is a prompt. Ctrl-C cancels the turn that runs; once
more, or without a turn, it ends the session, as the end of the input does.

--timeout is 60000 for a headless run and for the turn of --prompt, and typed lines have none. Over ACP it also
bounds initialize and the making of the session, each by itself; without it they have 20000.

--agent-arg goes behind the arguments of a headless run, with --acp where the profile has global flags. A
strict scenario has to be used up. What a trace holds, by "from": run (the first line: version, profile,
mode), mock (events as in serve --trace), wire (lines of ACP: at, seq, direction in or out, text), output
(the streams of a headless run: at, stream, text), harness (steps of charts; owned-process are those of
the agent's process: at, actor, chart, event, state, handled). It holds the first 64 MiB of a run; where more
came, the last line, from run, has leftOut with how many lines and bytes. Times are milliseconds of one clock; keys,
secrets, URLs of the mock, home and temporary folder of the sandbox are replaced.

Exit codes: 0 it worked (a headless run that printed an answer, turns that ended with end_turn); 1 it did
not, or could not be started; 2 the command line or the profile is wrong; 130, 143, 129 stopped by SIGINT,
SIGTERM, SIGHUP.`

/** \`understudy agent\`: what it does is loaded when it is asked for. */
export const agentCommand = makeCommand({
  name: "agent",
  summary: "Run a real agent against a mock provider, in a sandbox: one prompt, or a session over ACP",
  operands: agentOperands,
  options: agentOptions,
  notes,
  check: checkAgentOptions,
  start: async (given, io) => {
    if (given.has(agentOptions.list)) {
      return (await import("./agent-list.ts")).listAgents(io, { isJson: given.has(agentOptions.json) })
    }
    return (await import("./agent.ts")).agent(toAgentAsked(given), io)
  }
})
