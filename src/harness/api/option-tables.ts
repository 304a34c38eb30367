import { delayMsMax } from "../../domain/durations.ts"
import { isRecord } from "../../domain/json.ts"
import {
  aFunction,
  anyText,
  check,
  either,
  having,
  listOf,
  madeOf,
  members,
  type OptionCheck,
  oneOf,
  recordOf,
  someText,
  whole,
  yesOrNo
} from "../../domain/option-checks.ts"
import type { LeaderClientStart } from "../leader/leader-client.ts"
import type { ReplaySince } from "../leader/replay-since.ts"
import type { ConnectLeaderOptions } from "../leader-ipc/connect-options.ts"
import type { FakeLeaderBehaviour } from "../leader-ipc/fake-leaders.ts"
import { permissionPolicy } from "../session/permission-check.ts"
import type {
  AgentChoice,
  AgentOptions,
  ArgumentsOptions,
  CommandOptions,
  LeaderOptions,
  PromptOptions,
  RawOptions,
  RunOptions,
  SandboxChoice,
  SkewLaneOptions,
  SpawnOptions
} from "./api-options.ts"
import type { LeaderHomeChoice } from "./harness-run.ts"

/** Every option has its row: one that is added without it does not compile. */
type Table<O> = Readonly<Record<keyof O, OptionCheck>>

/** What arguments and variables hold is not shown: it may be a secret. */
const unshownText: OptionCheck = (value, path) => (typeof value === "string" ? null : `${path} is no text; give a text`)

const aPath: OptionCheck = check((value) => typeof value === "string" && value !== "", "a path")
const ms: OptionCheck = check(
  (value) => typeof value === "number" && value >= 0 && value <= delayMsMax,
  `milliseconds from 0 to ${delayMsMax}`
)
const count = whole(0, Number.MAX_SAFE_INTEGER)
const texts = listOf(unshownText)
const variables = recordOf(unshownText)
const aSignal: OptionCheck = (value, path) =>
  value instanceof AbortSignal ? null : `${path} is no AbortSignal; give the signal of an AbortController`

const aSandbox: OptionCheck = (value, path) =>
  having({ environment: aFunction, setMock: aFunction })(value, path) === null
    ? null
    : `${path} is no sandbox; give what makeSandbox gives`

const aMock: OptionCheck = (value, path) =>
  typeof value === "string" || having({ url: aFunction })(value, path) === null
    ? null
    : `${path} is no mock; give what startMock gives, or a URL of this machine such as "http://127.0.0.1:4010/v1"`

const aProfile: OptionCheck = either(
  check(isRecord, ""),
  check(
    (value) => typeof value === "string" && value !== "",
    "the id of a built-in one, the path of a JSON file, or what readProfile gives"
  )
)

const choice: Table<AgentChoice> = { profile: aProfile, mock: aMock }
const asked = <O>(table: Table<O>, ...needed: ReadonlyArray<keyof O & string>): OptionCheck => {
  const known = members(table)
  return (value, path) => {
    const problem = known(value, path)
    if (problem !== null) return problem
    const missing = needed.find((name) => !isRecord(value) || value[name] === undefined)
    return missing === undefined ? null : table[missing](undefined, missing)
  }
}

const session: Table<Omit<LeaderClientStart, "baseUrl" | "binary" | "cwd" | "args" | "env">> = {
  strict: yesOrNo,
  permissions: permissionPolicy,
  handlers: recordOf(aFunction),
  timing: yesOrNo,
  fs: yesOrNo,
  terminal: yesOrNo
}

const run: Table<RunOptions> = {
  ...choice,
  cwd: aPath,
  sandbox: aSandbox,
  env: variables,
  capMs: ms,
  allowDetached: yesOrNo
}

const answerer: OptionCheck = (value, path) =>
  value === "refuse" || value === "leave" || typeof value === "function" || isRecord(value)
    ? null
    : `${path} is no answer; give "refuse", "leave", { result }, { error } or a function that gives one of them`

const agent: Table<AgentOptions> = {
  ...choice,
  ...session,
  cwd: aPath,
  sandbox: aSandbox,
  env: variables,
  leadingArgs: texts,
  model: someText,
  role: anyText
}
const raw: Table<RawOptions> = {
  ...choice,
  cwd: aPath,
  env: variables,
  leadingArgs: texts,
  discardUnmatched: yesOrNo,
  answers: recordOf(answerer),
  otherwise: answerer
}
const prompt: Table<PromptOptions> = { ...run, prompt: anyText, format: someText, model: someText }
const exactly: Table<ArgumentsOptions> = { ...run, args: texts }
const command: Table<CommandOptions> = {
  program: aPath,
  args: texts,
  cwd: aPath,
  sandbox: aSandbox,
  env: variables,
  capMs: ms,
  allowDetached: yesOrNo,
  label: anyText
}
const sandbox: Table<SandboxChoice> = { ...choice, allowRemote: yesOrNo, git: yesOrNo, keep: yesOrNo }
const program: Table<SpawnOptions> = {
  program: aPath,
  args: texts,
  cwd: aPath,
  sandbox: aSandbox,
  environment: variables,
  overrides: recordOf((value, path) => (value === null ? null : unshownText(value, path))),
  label: anyText,
  stdin: oneOf(["null", "piped"]),
  stdout: oneOf(["capture", "piped"]),
  stderr: oneOf(["capture", "piped"]),
  stderrFile: aPath,
  tailBytes: whole(1, Number.MAX_SAFE_INTEGER),
  graceMs: ms,
  killWaitMs: ms,
  drainMs: ms,
  allowDetached: yesOrNo
}
const leader: Table<LeaderOptions> = {
  ...choice,
  baseUrl: anyText,
  binary: aPath,
  cwd: aPath,
  sandbox: aSandbox,
  socketPath: aPath,
  args: texts,
  env: variables,
  readyMs: ms
}
const leaderClient: Table<LeaderClientStart> = {
  ...session,
  baseUrl: anyText,
  binary: aPath,
  cwd: aPath,
  args: texts,
  env: variables
}
const lane: Table<SkewLaneOptions> = {
  ...choice,
  leaderBinary: aPath,
  clientBinary: aPath,
  leaderArgs: texts,
  clientArgs: texts,
  baseUrl: anyText,
  env: variables
}
const home: Table<LeaderHomeChoice> = { profile: aProfile, home: aPath, socketPath: aPath }
const connection: Table<ConnectLeaderOptions> = {
  clientType: anyText,
  mode: oneOf(["headless", "stdio"]),
  capabilities: check(isRecord, "an object"),
  signal: aSignal
}
const fakeLeader: Table<FakeLeaderBehaviour> = { accepted: aFunction, heard: aFunction }

const anAddress: OptionCheck = (value, path) =>
  (typeof value === "string" && value !== "") || addresses.some((address) => having(address)(value, path) === null)
    ? null
    : `${path} is no place where a leader listens; give the path of a socket, or { kind: "tcp", host, port }`

const addresses = [
  { kind: oneOf(["unix"]), path: aPath },
  { kind: oneOf(["tcp"]), host: someText, port: whole(0, 65_535) }
]

/**
 * What the options of each call are to be; unknown ones are refused, and what is missing is named.
 *
 * @since 0.1.0
 * @category guards
 */
export const optionTables = {
  agent: asked(agent, "profile"),
  raw: asked(raw, "profile"),
  prompt: asked(prompt, "profile", "prompt"),
  exactly: asked(exactly, "profile", "args"),
  command: asked(command, "program"),
  sandbox: asked(sandbox),
  program: asked(program, "program"),
  leader: asked(leader, "profile"),
  leaderClient: asked(leaderClient),
  lane: asked(lane, "profile"),
  home: asked(home, "profile", "home"),
  connection: asked(connection),
  fakeLeader: asked(fakeLeader),
  newLeader: asked<{ timeoutMs: number }>({ timeoutMs: ms }, "timeoutMs"),
  replay: asked<ReplaySince>({ baseline: count, since: count, timeoutMs: ms }, "baseline", "timeoutMs"),
  replayed: having({ reconnectedCount: aFunction, notificationCount: aFunction }),
  pid: whole(1, Number.MAX_SAFE_INTEGER),
  acquisition: madeOf({ needs: { start: aFunction, release: aFunction }, may: { interrupt: aFunction, boundMs: ms } }),
  address: anAddress,
  ms,
  scopeName: someText,
  finalizer: aFunction
} as const satisfies Readonly<Record<string, OptionCheck>>
