/** How a process ends: by itself with a code, or by a signal that it sends itself. */
export type AgentEnd =
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "crash"; readonly signal: string }

/** One message of a conversation with a model. */
export interface ChatMessage {
  readonly role: "user" | "assistant"
  readonly text: string
}

/** What an answer of a model brings: text piece by piece, then `done`; or `failed`. Nothing follows these two. */
export interface AnswerSink {
  text(piece: string): void
  done(): void
  failed(reason: string): void
}

/** Asks a model. The function it gives breaks that off: the sink hears nothing more. */
export type AskModel = (messages: ReadonlyArray<ChatMessage>, sink: AnswerSink) => () => void

/** Texts by name that outlive a process. Names are file names. */
export interface TextStore {
  /** All that there are, sorted by name. */
  all(): ReadonlyArray<{ readonly name: string; readonly text: string }>
  save(name: string, text: string): void
  remove(name: string): void
}
