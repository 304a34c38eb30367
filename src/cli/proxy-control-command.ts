import { controlCommandNames, controlCommands, controlUsage } from "../proxy/control/control-commands.ts"
import { endpointOf } from "../proxy/endpoint.ts"
import { type Command, commonOptions, makeCommand } from "./command.ts"
import { columns } from "./help-text.ts"
import type { GivenOptions, Operand } from "./option-table.ts"

const operands: ReadonlyArray<Operand> = [
  { placeholder: "ENDPOINT", help: "where the proxy is commanded, as its --control says: unix:PATH, or tcp:HOST:PORT" },
  { placeholder: "COMMAND", help: "what it is to do", isRepeated: true }
]

const notes = `It sends one command, prints the answer as one JSON line, and ends.

${columns(controlCommandNames.map((name) => [controlUsage(name), controlCommands[name].help]))}

What follows a command stands in this order, or as NAME=VALUE. DIRECTION is c2u (from the client to the
upstream), u2c or both. A RULE or PLAN is JSON, or a file with YAML or JSON. CONNECTION counts from 1; of hold
it may be {"from":2}. MATCH is that of a rule. MS is how long to wait at most (default 30000), COUNT counts from
the start. hold names the barrier itself where none is given, and tells it; release takes back its rule.

Examples:

  understudy proxy-control ./control.sock hold go c2u match='{"method":"session/prompt"}'
  understudy proxy-control ./control.sock wait held go
  understudy proxy-control ./control.sock release go
  understudy proxy-control ./control.sock rule add '{"direction":"u2c","match":{"every":3},"action":"drop"}'
  understudy proxy-control ./control.sock plan faults.yaml

Other programs send such lines themselves, {"command":"sever","connection":1}, with an "id" if they like, and
get {"ok":true,"result":{...}} or {"ok":false,"error":"..."} for each:

  echo '{"command":"stats"}' | socat -t 5 - UNIX:control.sock

Exit codes: 0 it was done; 1 it could not be, or nobody answered; 2 a bad command line.`

const check = ({ operands: [endpoint] }: GivenOptions): ReadonlyArray<string> => {
  const reading = endpointOf(endpoint)
  return "problem" in reading ? [`ENDPOINT ${reading.problem}`] : []
}

/** \`understudy proxy-control\`: what it does is loaded when it is asked for. */
export const proxyControlCommand: Command = makeCommand({
  name: "proxy-control",
  summary: "Command a fault proxy that runs: sever, hold, release, partition, heal, ask how it stands",
  operands,
  options: commonOptions,
  notes,
  check,
  start: async (given, io) => (await import("./proxy-control.ts")).proxyControl(given.operands, io)
})
