import type { JsonObject } from "../profile/agent-profile.ts"

/**
 * What a fake agent does, as plain data.
 *
 * **Source** agent-harness.md, appendix A
 *
 * @since 0.1.0
 * @category models
 */
export interface FakeAgentScript {
  readonly protocolVersion: number
  /** Ids of the ways to authenticate that `initialize` offers. */
  readonly authMethods: ReadonlyArray<string>
  /** Whether sessions are refused with -32000 until `authenticate` was answered. */
  readonly requiresAuth: boolean
  readonly answer: FakeAnswer
  /** In how many chunks an answer comes; characters that are too few leave the last ones empty. `null`: as it is made. */
  readonly chunks: number | null
  /** What every turn does before its answer, in this order. */
  readonly turn: ReadonlyArray<TurnStep>
  readonly rules: ReadonlyArray<FakeRule>
  /** Whether all that a turn says is one write. Waiting for the client, or for a time, begins another one. */
  readonly oneWrite: boolean
  /** The largest piece that is written at once, in bytes; `null` for no limit. */
  readonly chunkBytes: number | null
  /** Whether every character of several bytes is written in two pieces. */
  readonly splitUtf8: boolean
  /** How responses are altered. */
  readonly responses: ResponseFaults
  readonly noJsonrpc: boolean
  /** Lines on stderr at the start. */
  readonly stderr: ReadonlyArray<string>
  readonly ignoreTerm: boolean
  /** Whether it stays when its input has ended. */
  readonly ignoreEof: boolean
  readonly grandchild: Grandchild | null
}

/** The answer to a prompt: `Echo: ` and the prompt; what the model says; or always the same. */
export type FakeAnswer =
  | { readonly kind: "echo" }
  | { readonly kind: "mock" }
  | { readonly kind: "text"; readonly text: string }

/**
 * Something that a turn does. `{sessionId}` as a whole text in `params` and `update` stands for the id of the session.
 *
 * @since 0.1.0
 * @category models
 */
export type TurnStep =
  | { readonly kind: "update"; readonly update: JsonObject }
  | { readonly kind: "notify"; readonly method: string; readonly params: JsonObject }
  /** Asks the client. `id` is the id as it is written, an own number by default. Waits for the answer unless told not to. */
  | {
      readonly kind: "ask"
      readonly method: string
      readonly params: JsonObject
      readonly id: string | null
      readonly waits: boolean
    }
  /** Has the client run a command of the shell: asks for a terminal, its end, its output, and gives it back. */
  | { readonly kind: "terminal"; readonly command: string }
  /** A line as it is. */
  | { readonly kind: "line"; readonly text: string }
  /** A notification whose line has so many bytes, its LF included. */
  | { readonly kind: "big line"; readonly bytes: number }
  | { readonly kind: "stderr"; readonly text: string }

/**
 * What becomes of a call instead of its answer, or before it. The first rule that fits and is no delay counts; delays add up and come
 * first.
 *
 * @since 0.1.0
 * @category models
 */
export interface FakeRule {
  /** The method, `*` for any. A headless run is a `session/prompt`. */
  readonly method: string
  /** Which call of that method, from 1; `null` for all. */
  readonly call: number | null
  /** Not when the call arrives, but when so many chunks of its answer are out; `session/prompt` only. */
  readonly afterChunks: number | null
  readonly does: FakeAct
}

export type FakeAct =
  | { readonly kind: "silent" }
  | { readonly kind: "delay"; readonly ms: number }
  | { readonly kind: "error"; readonly code: number; readonly message: string }
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "crash"; readonly signal: string }
  | { readonly kind: "close output" }

/**
 * How responses differ from good ones.
 *
 * @since 0.1.0
 * @category models
 */
export interface ResponseFaults {
  /** The only method whose responses are altered; `null` for all. `outOfOrder` has one of its own. */
  readonly method: string | null
  /** The id: as it was sent, turned into a number or a text where it can be, in lower case, or null. */
  readonly idAs: "sent" | "number" | "string" | "lower" | "null"
  readonly duplicate: boolean
  /** The method whose responses overtake each other: each first one waits until the second is out. `null` for none. */
  readonly outOfOrder: string | null
  /** Both or neither of result and error. */
  readonly broken: "both" | "neither" | null
  /** Lines directly before or behind each. */
  readonly extraLines: ReadonlyArray<ExtraLine>
}

export interface ExtraLine {
  readonly at: "before" | "after"
  readonly text: string
}

/** In its process group; with a session of its own; or in its group and holding its stdout open. */
export type Grandchild = "group" | "detached" | "holds-stdout"

export const grandchildren = ["group", "detached", "holds-stdout"] as const satisfies ReadonlyArray<Grandchild>
export const idForms = ["sent", "number", "string", "lower", "null"] as const satisfies ReadonlyArray<
  ResponseFaults["idAs"]
>

/**
 * A fake agent that does nothing wrong: it echoes.
 *
 * @since 0.1.0
 * @category constructors
 */
export const calmScript: FakeAgentScript = {
  protocolVersion: 1,
  authMethods: ["fixture.api_key"],
  requiresAuth: false,
  answer: { kind: "echo" },
  chunks: null,
  turn: [],
  rules: [],
  oneWrite: false,
  chunkBytes: null,
  splitUtf8: false,
  responses: { method: null, idAs: "sent", duplicate: false, outOfOrder: null, broken: null, extraLines: [] },
  noJsonrpc: false,
  stderr: [],
  ignoreTerm: false,
  ignoreEof: false,
  grandchild: null
}
