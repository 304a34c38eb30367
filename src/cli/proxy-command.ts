import { type Command, makeCommand } from "./command.ts"
import { checkProxyOptions, proxyOptions, toProxyAsked } from "./proxy-options.ts"

const notes = `The first line on stdout is {"type":"ready","listen":...}, with the real port and, of framing http, the "url"
for clients; the last one {"type":"summary",...} with totals. SIGINT, SIGTERM, SIGHUP and the command stop
end it in order: connections are cut, socket files removed; a second signal ends it at once, and once stopped it
waits for no reader that takes nothing for 5 seconds. A socket file that nobody serves is replaced.

Framings: lengthPrefixed (a length of 4 bytes, big-endian, and so many bytes), ndjson (lines), contentLength
(LSP, DAP), webSocket, opaque (what is read at once), http (heads, bodies, server-sent events). As JSON with
options: {"type":"lengthPrefixed","prefixBytes":2,"endian":"little","includesPrefix":true},
{"type":"webSocket","counts":"messages"}; all but opaque have "limitBytes".

A plan has one direction and up to four faults, or rules in order; c2u is from the client to the upstream:

  { direction: c2u, dropFrame: 2, delay: { frame: 3, ms: 300 } }

  rules:
    - { direction: u2c, match: { method: session/update }, action: { type: duplicate }, times: 1 }
    - { connection: 1, match: { index: 5 }, action: { type: sever, afterBytes: 3 } }
    - { match: { every: 4, probability: 0.5 }, action: { type: latency, ms: 20, jitterMs: 30 } }

While it runs it takes commands at --control, and on standard input, one a line: sever, hold, release, stats
and others, which "understudy proxy-control --help" tells.

Examples:

  understudy proxy --listen unix:/tmp/front.sock --upstream unix:/tmp/leader.sock --plan faults.yaml
  understudy proxy --listen tcp:0 --upstream http://127.0.0.1:4010 --control ./control.sock --log pretty

A recording holds what came through as it came, with any keys that are in it; its file is made for nobody else
to read. Each line has type, at in milliseconds, connection, direction, index, and header and body as { text }
or { hex }.

Exit codes: 0 it was stopped; 1 it could not begin, the system let it accept nobody any more, or its recording
could not be written; 2 a bad command line.`

/** \`understudy proxy\`: what it does is loaded when it is asked for. */
export const proxyCommand: Command = makeCommand({
  name: "proxy",
  summary: "Stand between two programs, and drop, delay, cut or hold what they say, message by message",
  options: proxyOptions,
  notes,
  check: checkProxyOptions,
  async start(given, io) {
    const asked = toProxyAsked(given)
    if (asked === null) throw new Error("an option that is needed was checked, and is missing")
    return (await import("./proxy.ts")).proxy(asked, io)
  }
})
