import { type Command, makeCommand } from "./command.ts"
import { checkFakeAgent } from "./fake-agent-script.ts"
import { wordsWithVariables } from "./fake-agent-words.ts"
import { fakeLeaderOptions, ownLeaderOptions } from "./fake-leader-options.ts"
import type { GivenOptions } from "./option-table.ts"

const notes = `Behind it is a fake agent, whose options it takes as well ("understudy fake-agent --help"): those about what
the agent says and does. Its sessions are kept in the home, so that session/load of the next leader finds
them. When the agent exits or crashes, so does the leader.

Clients connect to the socket; each message is a length of four bytes, big-endian, and so much JSON.
Beside the socket is leader.lock with the pid, in the home logs/unified.jsonl with what has happened;
stderr says a little of it. SIGTERM ends it in order: clients are told, socket and lock are removed.

Variables as for fake-agent: FIXTURE_LEADER_SOCKET stands for --leader-socket, and so on.

Exit codes: 0 when it was told to end, or found another leader there; 1 when it could not begin; 2 a bad
command line; or what was asked for.`

/** What is wrong in the combination, of the options of the agent too. */
export const checkFakeLeader = (given: GivenOptions): ReadonlyArray<string> => [
  ...(given.has(ownLeaderOptions.home) || given.has(ownLeaderOptions["leader-socket"])
    ? []
    : ["it needs a place for its socket; add --home FOLDER, or --leader-socket PATH"]),
  ...checkFakeAgent(given)
]

const command = makeCommand({
  name: "fake-agent leader",
  summary: "Be a leader: one fake agent that several clients share through a socket",
  options: fakeLeaderOptions,
  listed: ownLeaderOptions,
  notes,
  check: checkFakeLeader,
  start: async (given, io) => (await import("./fake-leader.ts")).fakeLeader(given, io)
})

/** `understudy fake-agent leader`: what it does is loaded when it is asked for. */
export const fakeLeaderCommand: Command = {
  summary: command.summary,
  run: (argv, io) => command.run(wordsWithVariables(argv, { table: fakeLeaderOptions, variables: process.env }), io)
}
