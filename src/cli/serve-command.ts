import { type Command, makeCommand } from "./command.ts"
import { columns } from "./help-text.ts"
import { lineCommandHelp } from "./line-command-help.ts"
import type { serve } from "./serve.ts"
import { checkServeOptions, serveOptions, toServeOptions } from "./serve-options.ts"

const notes = `The first line on stdout is {"type":"ready","url":"http://127.0.0.1:PORT/v1",...}: the base URL of
OpenAI clients; "origin" beside it is the one of Anthropic clients. SIGINT and SIGTERM stop the
server cleanly with exit code 0; a second one ends it at once, and a stopped server waits for no reader
that takes nothing for 5 seconds. A strict server says on stderr what it refused and, at its
end, what was left over; with --log jsonl in records.

While it runs, standard input takes one command a line:

${columns(lineCommandHelp)}`

/** `understudy serve`. **Takes** what loads that which serves, when it is asked for */
export const makeServeCommand = (load: () => Promise<typeof serve>): Command =>
  makeCommand({
    name: "serve",
    summary: "Serve a mock model provider: OpenAI Chat Completions and Responses, Anthropic Messages",
    options: serveOptions,
    notes,
    check: checkServeOptions,
    start: async (given, io) => (await load())(toServeOptions(given), io)
  })
