import type { RequestKind } from "../domain/classification.ts"
import type { InferenceEndpoint } from "../domain/endpoint.ts"
import type { Ending } from "../domain/plan.ts"
import type { Header } from "../domain/request.ts"
import type { ScriptedResponse } from "../domain/scripted-response.ts"
import type { SseEvent } from "../domain/sse-event.ts"

/**
 * One request in the hand of the test: nothing is answered until the test says so, once. What is said after the end, or
 * after the client has left, throws `CallSettled`; what cannot be served throws `InvalidScript` or `InvalidOption`, and the
 * call can be answered still.
 *
 * @since 0.1.0
 * @category calls
 */
export interface HeldCall {
  /** Running number of the request on its server, from 1. */
  readonly number: number
  readonly endpoint: InferenceEndpoint
  readonly kind: RequestKind
  readonly session: string
  /** The number of user messages in the body. */
  readonly turn: number
  /** Which try of its call it is, from 1; `null` while attempts are not counted. */
  readonly attempt: number | null
  readonly headers: ReadonlyArray<Header>
  readonly body: unknown
  /** The client has left, or the server was closed, before the answer was complete. */
  readonly isGone: boolean
  /** Answers with a scripted response, of a final status: from 200 on. */
  reply(response: ScriptedResponse): void
  /** Answers with a text, in the form of the API: a stream or one JSON reply, as the request asks. */
  replyText(text: string): void
  /** Sends the head of a stream; its events are written one by one. */
  stream(options?: HeldStreamOptions): HeldStream
  /** Answers with an error in the shape of the API. */
  fail(status: number, message?: string): void
  /** Ends the connection without an answer. */
  hangUp(ending?: Exclude<Ending, "end">): void
  /** Lets the server decide, as if nobody had held the call. */
  proceed(): void
}

/** The head of a stream that a test writes: 200 and no more headers, unless told otherwise. */
export interface HeldStreamOptions {
  readonly status?: number
  readonly headers?: ReadonlyArray<readonly [string, string]>
}

/** A stream that a test writes event by event. */
export interface HeldStream {
  /**
   * Puts an event behind those before it and goes on at once. Throws `InvalidScript` for one that cannot be sent, and when
   * more than 64 MiB would wait for a client that does not read.
   */
  write(event: SseEvent | string): void
  /** All that was written has left, and the client takes more. Rejects with `CallSettled` when that cannot be any more. */
  drained(): Promise<void>
  /** Ends it cleanly, or in another way. */
  end(ending?: Ending): void
}
