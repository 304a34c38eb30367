import type { RequestClass } from "../../src/domain/classification.ts"
import type { InferenceEndpoint, WireProfile } from "../../src/domain/endpoint.ts"

/**
 * The body of a scripted answer: `bare` is a stream under status 204, which no client ever sees.
 *
 * @since 0.1.0
 * @category models
 */
export interface Script {
  readonly kind: "json" | "raw" | "sse" | "bare"
  /** How many events a stream has; 0 for the others. */
  readonly events: number
}

/**
 * A barrier before the head, before the last step, or after this many events.
 *
 * @since 0.1.0
 * @category models
 */
export type BarrierPlace = "head" | "terminal" | number

/** The names of barriers that were given none. */
export const barrierName = (place: BarrierPlace): string => (typeof place === "number" ? `afterEvent(${place})` : place)

/**
 * A queue that the server consults.
 *
 * @since 0.1.0
 * @category models
 */
export type QueueName = InferenceEndpoint | "Settings"

/**
 * One request of the small domain. `spelling` (bits) changes what must not matter: key order and white space of the body
 * (1), the path and the padding of the id (2), the value of the turn index (4).
 *
 * @since 0.1.0
 * @category models
 */
export interface RequestSpec {
  readonly endpoint: InferenceEndpoint
  /** Which of request id and turn index are sent; `empty` sends both without a value. */
  readonly headers: "none" | "id" | "turn" | "both" | "empty"
  readonly id: string
  readonly body: "plain" | "toolResult"
  readonly tools: number
  readonly streams: boolean
  readonly spelling: number
  readonly key: "none" | "bearer" | "lower" | "x-api-key" | "wrong"
  /** A slow reader: the server feels back-pressure while this much is unread. */
  readonly windowBytes: number | null
}

/**
 * What is wrong with a registration that must fail.
 *
 * @since 0.1.0
 * @category models
 */
export type ScriptFault =
  | "status"
  | "headerName"
  | "headerValue"
  | "eventName"
  | "eventData"
  | "position"
  | "noBody"
  | "twice"

/**
 * A request that never reaches a handler, by what is wrong with it.
 *
 * @since 0.1.0
 * @category models
 */
export type Stray = "path" | "method" | "type" | "body"

/**
 * One thing that a test or a client does. `expectation` counts the `register` commands of a history, `exchange` the
 * commands that send a request (`request`, `stray`, `resource`), both from 0.
 *
 * @since 0.1.0
 * @category models
 */
export type Command =
  | {
      readonly type: "register"
      readonly name: string
      readonly matcher: RequestClass
      readonly script: Script
      readonly barriers: ReadonlyArray<BarrierPlace>
    }
  | {
      readonly type: "misregister"
      readonly name: string
      readonly fault: ScriptFault
      readonly place: "expectation" | "queue"
      readonly matcher: RequestClass
    }
  | { readonly type: "request"; readonly request: RequestSpec }
  | { readonly type: "stray"; readonly stray: Stray; readonly request: RequestSpec }
  | { readonly type: "resource"; readonly resource: "models" | "settings" | "user" }
  /** What a comparison has taken out; the others keep their numbers. */
  | { readonly type: "omitted"; readonly instead: "register" | "request" | "other" }
  | { readonly type: "disconnect" | "read"; readonly exchange: number }
  /** Opens one barrier, or all. */
  | { readonly type: "release"; readonly expectation: number; readonly barrier: string | null }
  | { readonly type: "dispose" | "retire"; readonly expectation: number }
  | { readonly type: "enqueue"; readonly queue: QueueName; readonly script: Script }
  | { readonly type: "clearQueues" | "hold" | "open" }
  /** Fixed mode, or echo again. */
  | { readonly type: "respond"; readonly text: string | null }
  | { readonly type: "turns"; readonly texts: ReadonlyArray<string> }
  | { readonly type: "delay"; readonly ms: number | null }
  | { readonly type: "stopReason"; readonly reason: string }
  | { readonly type: "requireKey" | "keep" | "hang"; readonly on: boolean }
  | { readonly type: "close"; readonly drainMs: number }

/**
 * A command and when it happens: in the same turn as the one before, or after everything due was done and that many
 * milliseconds have passed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Step {
  readonly after: "turn" | number
  readonly command: Command
}

/**
 * How a server is started.
 *
 * @since 0.1.0
 * @category models
 */
export interface Setup {
  readonly profile: WireProfile
  readonly requiresKey: boolean
  readonly logEntriesMax: number
}

/**
 * Everything that happens to one server, in order. Without `choices` the commands are calls of a test that moves the clock
 * itself; with them they are events of the clock, and each choice picks among what is due together, 0 being the oldest.
 *
 * **Source** inference-server.md, section 11
 *
 * @since 0.1.0
 * @category models
 */
export interface History {
  readonly setup: Setup
  readonly steps: ReadonlyArray<Step>
  readonly choices: ReadonlyArray<number> | null
}

/** The key that `requireKey` asks for. */
export const requiredKey = "secret"

/** Whether a command has a number among the registrations. */
export const registers = (command: Command): boolean =>
  command.type === "register" || (command.type === "omitted" && command.instead === "register")

/** Whether a command sends a request, and so has a number among the exchanges. */
export const sends = (command: Command): boolean =>
  command.type === "request" ||
  command.type === "stray" ||
  command.type === "resource" ||
  (command.type === "omitted" && command.instead === "request")
