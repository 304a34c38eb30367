import { makeCommand } from "./command.ts"
import { checkExplore, exploreOptions, moduleOperand, toExploreAsked } from "./explore-options.ts"

const notes = `A program is an object that the module exports, as default or by a name:

  export default { name: "checkout", options: { runs: 300 }, run: async (sim) => { ... } }

run gets the simulated world of llm-understudy/sim; what it throws is a failure. options are those of
explore() there, all of them optional.

The first failure ends the search of its program. It is made small (at most 400 runs or one minute,
beyond the budget), written as a trace and told with its token and a diagram. On stdout there is one
JSON line {"type":"result",...} for each program; progress and text for people are on stderr.

Each run has a number, and its seed follows from that and --seed alone. With N workers, worker k makes
the runs k, k+N, k+2N and so on: all numbers are tried once, and of several failures the one with the
lowest number counts. With --strategy random or swarm the runs themselves are so the same for any
number of workers. The other strategies learn from earlier runs, each worker from its own: there the
number of workers, as the seed, decides which runs are made. With a budget of time, so does the machine.

Exit codes: 0 nothing found; 1 a failure, a situation that no run reached, or a program that is not the
same twice; 2 the command line is wrong or the module cannot be loaded; 130 and 143 after SIGINT and
SIGTERM, when what was found until then is told. A second signal ends it at once.`

/** `understudy explore`: what it does is loaded when it is asked for. */
export const exploreCommand = makeCommand({
  name: "explore",
  summary: "Search schedules and faults for a run of a program that fails",
  operands: [moduleOperand],
  options: exploreOptions,
  notes,
  check: checkExplore,
  start: async (given, io) => (await import("./explore.ts")).explore(toExploreAsked(given), io)
})
