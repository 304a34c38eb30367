/** A value that JSON can hold. */
export type JsonValue = null | boolean | number | string | ReadonlyArray<JsonValue> | JsonObject
export interface JsonObject {
  readonly [name: string]: JsonValue
}

/** Names and texts, as in an environment. */
export type TextMap = Readonly<Record<string, string>>

/**
 * Everything that is special about one agent, as plain data; reading it filled in what may be left out.
 *
 * **Source** agent-harness.md, section 1.1
 *
 * @since 0.1.0
 * @category models
 */
export interface AgentProfile {
  readonly id: string
  /** What messages call the agent. */
  readonly displayName: string
  readonly tried: ProfileTrial
  readonly binary: ProfileBinary
  /** `null` for an agent that does not speak ACP. */
  readonly acp: ProfileAcp | null
  /** `null` for an agent that has no headless mode. */
  readonly headless: ProfileHeadless | null
  readonly mock: ProfileMock
  readonly sandbox: ProfileSandbox
  readonly ext: ProfileExtensions
  /** What on stderr means a crash, besides what always does. */
  readonly crashPatterns: ReadonlyArray<string>
  /** `null` for an agent without a leader. */
  readonly leader: ProfileLeader | null
  /** The exit code that the agent gives a signal, by name of the signal. For information: nothing of ours goes by it. */
  readonly signals: Readonly<Record<string, number>>
}

/** How one mode of an agent was tried. */
export type Trial = "real run" | "documentation only" | "none"

/** How far a profile was tried. */
export interface ProfileTrial {
  readonly acp: Trial
  readonly headless: Trial
  /** The version of the agent that was run or read about; empty when unknown. */
  readonly version: string
  /** What one should know before relying on it; empty without. */
  readonly note: string
}

/** Where the executable comes from, by section 1.2. */
export interface ProfileBinary {
  /** Variables that may hold its path, the first that is set counts. */
  readonly env: ReadonlyArray<string>
  /** The variable of a role, as in `leader`. */
  readonly roleEnv: TextMap
  /** Variables in which a build system leaves a path that may be stale. */
  readonly buildEnv: ReadonlyArray<string>
  /** The name looked up on `PATH`; `null` when it is on none. */
  readonly command: string | null
  /** The npm package that brings it, and the name of the program in it. */
  readonly package: { readonly name: string; readonly bin: string } | null
  readonly localBuild: ProfileBuild | null
  /** What a script is started with, as in `node`. */
  readonly interpreter: string | null
}

/** A build that makes the executable when it is missing. Paths are relative to the working directory of the test. */
export interface ProfileBuild {
  /** The executable that the build makes. */
  readonly path: string
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
}

export interface ProfileAcp {
  /** Templates over `{home}`, `{stateDir}`, `{workspace}`, `{temp}`. */
  readonly args: ReadonlyArray<string>
  /** Where global flags of the caller go, relative to `args`. */
  readonly leadingArgsPosition: "before" | "after"
  readonly protocolVersion: number
  readonly initializeMeta: JsonObject | null
  readonly clientCapabilities: JsonObject
  readonly auth: ProfileAuth
  readonly modelSelection: ModelSelection
  readonly exitsOnStdinEof: { readonly exits: boolean; readonly withinMs: number }
}

/** `none`: nothing is sent after `initialize`. With `anyOf` the first that the agent offers is used. */
export type ProfileAuth =
  | "none"
  | { readonly methodId: string; readonly meta: JsonObject | null }
  | { readonly anyOf: ReadonlyArray<string>; readonly meta: JsonObject | null }

/** How a model is chosen over ACP. */
export type ModelSelection =
  | "none"
  | { readonly newSessionMeta: string }
  | { readonly method: string }
  | { readonly configOption: string }
  | { readonly env: string }

export interface ProfileHeadless {
  /** Templates; `{prompt}` is there once, `{format}`, `{model}` and `{cwd}` may be. */
  readonly args: ReadonlyArray<string>
  /** What the agent can print, by the name that all agents share, as in `text`, `json`, `ndjson`. */
  readonly formats: Readonly<Record<string, HeadlessFormat>>
  /** The format that is used when none is asked for; a key of `formats`. */
  readonly defaultFormat: string
  /** What stands for `{model}` when none is asked for; `null` when no argument has it. */
  readonly defaultModel: string | null
}

export interface HeadlessFormat {
  /** What stands for `{format}`. */
  readonly value: string
  /** The arguments of this format, where it needs others than `headless.args`. */
  readonly args: ReadonlyArray<string> | null
  /** Plain text, one JSON value, or one JSON value a line. */
  readonly output: "text" | "json" | "ndjson"
  /** Members that tell the terminal event; `null` when the output as a whole is it. */
  readonly terminal: JsonObject | null
  /** Where the answer of the model stands; `null` when the output as a whole is it, or nobody knows. */
  readonly answer: HeadlessAnswer | null
  /** A JSON pointer to the id of the session in the terminal event; `null` where it has none. */
  readonly sessionId: string | null
  /** Values that the member `type` of an event is known to have; empty when nobody knows. */
  readonly events: ReadonlyArray<string>
}

export interface HeadlessAnswer {
  /** Members that tell the events which hold it; `null` for the terminal event. */
  readonly event: JsonObject | null
  /** A JSON pointer into such an event. */
  readonly at: string
  /** Whether all such events together hold it, or the last one alone. */
  readonly parts: "all" | "last"
}

export interface ProfileMock {
  /** Templates over `{mockUrl}`, `{mockOrigin}`, `{apiKey}`. */
  readonly env: TextMap
  readonly files: ReadonlyArray<MockFile>
  /** For information, as `understudy agent --list` shows it: the mock serves all that it speaks, whatever stands here. */
  readonly wire: ReadonlyArray<MockWire>
}

/** A file that an agent needs before it starts. */
export interface MockFile {
  /** Relative to the root of the sandbox, or beginning with `{home}`, `{stateDir}`, `{workspace}` or `{temp}`. */
  readonly path: string
  /** The content: a template over what the mock and the sandbox have. */
  readonly template: string
}

export const mockWires = ["ChatCompletions", "Responses", "Messages", "Gemini"] as const
/** What the agent and its model provider speak. */
export type MockWire = (typeof mockWires)[number]

export interface ProfileSandbox {
  /** Templates over `{home}`, `{stateDir}`, `{workspace}`, `{temp}`. */
  readonly homeEnv: TextMap
  /** The folder below home that holds the state of the agent. */
  readonly stateDir: string
  /** Variables that switch off telemetry, feedback, updates and side calls. */
  readonly killSwitches: TextMap
  /** Variables that the child never has, whatever list of overrides they come with. */
  readonly forbidden: ReadonlyArray<string>
}

export interface ProfileExtensions {
  /** How custom methods of the agent begin, as in `x.ai/`. For information: nothing of ours goes by it. */
  readonly prefixes: ReadonlyArray<string>
}

/** The daemon that several clients of an agent share; section 5. */
export interface ProfileLeader {
  /** Arguments of the leader; templates over the sandbox and `{socket}`. */
  readonly args: ReadonlyArray<string>
  /** Arguments of a client of it. */
  readonly clientArgs: ReadonlyArray<string>
  /** The variable that holds the path of the socket. */
  readonly socketEnv: string
  /** Variables of `mock.env` that leader and clients are given explicitly. */
  readonly mockEnv: ReadonlyArray<string>
  /** Further variables that they are given. */
  readonly env: TextMap
  /** Names below the state folder. */
  readonly files: LeaderFiles
  /** The bare names of what a client of it tells without being asked. */
  readonly notifications: LeaderNotifications
  /** How messages stand on the socket: a length of 4 bytes, big-endian, then that much JSON. */
  readonly framing: "length32-json"
}

export interface LeaderFiles {
  readonly socket: string
  readonly lock: string
  readonly log: string
  readonly events: string
  /** What the leader knows of its user; one owner writes it. */
  readonly auth: string
}

export interface LeaderNotifications {
  /** The client has found a leader again, and has restored its sessions. */
  readonly reconnected: string
  readonly modelsUpdate: string
  readonly settingsUpdate: string
}
