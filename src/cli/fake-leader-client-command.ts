import { type Command, makeCommand } from "./command.ts"
import { wordsAlsoOf, wordsWithVariables } from "./fake-agent-words.ts"
import { checkFakeLeader } from "./fake-leader-command.ts"
import { fakeLeaderOptions, fakeLeaderClientOptions as options, ownLeaderClientOptions } from "./fake-leader-options.ts"

const notes = `It connects to the leader at the socket. When there is none it starts one, in a process of its own that
stays; its stderr goes to leader.log in the home. It takes all options of "understudy fake-agent leader",
for the leaders that it starts. A leader of an older version is ended and replaced, never a newer one.

When the leader is gone it looks for another one up to five times, or starts one, says initialize and
session/load of each open session again, and then writes x.ai/leader_reconnected. What comes in
meanwhile waits, for five minutes; what the old leader was asked and had not answered is never answered.

Variables as for fake-agent: FIXTURE_RECONNECT_DELAY stands for --reconnect-delay, and so on.

Exit codes: 0 when the input has ended; 1 when there is no leader to be had; 2 a bad command line.`

const commandWith = (argv: ReadonlyArray<string>): Command =>
  makeCommand({
    name: "fake-agent leader-client",
    summary: "Be an agent that is a client of a leader, which it shares with others",
    options,
    listed: ownLeaderClientOptions,
    notes,
    check: checkFakeLeader,
    async start(given, io) {
      const { fakeLeaderClient } = await import("./fake-leader-client.ts")
      // What variables say, a leader that is started hears from them.
      return fakeLeaderClient(given, {
        io,
        leaderWords: wordsAlsoOf(argv, { table: options, kept: fakeLeaderOptions })
      })
    }
  })

/** `understudy fake-agent leader-client`: what it does is loaded when it is asked for. */
export const fakeLeaderClientCommand: Command = {
  summary: commandWith([]).summary,
  run: (argv, io) => commandWith(argv).run(wordsWithVariables(argv, { table: options, variables: process.env }), io)
}
