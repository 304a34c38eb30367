import type { CloseMode } from "../../domain/close-mode.ts"
import type { TerminationReason } from "../../domain/exit-status.ts"
import type { RawAgentRequest } from "./agent-requests.ts"

/** A message as it was parsed. */
export type JsonMessage = Readonly<Record<string, unknown>>

/** How long is waited, and what for. */
export interface RawWaitOptions {
  /** What failures call it. */
  readonly what?: string
  /** From the call on, for all lines together, before the timeout scale. Default 30,000 ms. */
  readonly ms?: number
}

/** Something of a line that is not as it should be. */
export interface RawViolation {
  readonly rule: "UTF-8"
  /** With U+FFFD for what is no UTF-8; at most 200 characters. */
  readonly line: string
}

/** How an agent ended. */
export interface RawEnd {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly reason: TerminationReason | null
  /** The ends of both streams, not made fit to be shown. */
  readonly stdoutTail: string
  readonly stderrTail: string
}

/**
 * An agent that is sent exact bytes. Its lines are read only while somebody waits for one, and one waits at a time.
 *
 * Every wait fails with `AgentClosed` when the agent has closed its output or the client is closed, and with `FrameTooLarge` when a
 * line has more than 64 MiB. A line that a wait passes over and that is a request of the agent is refused, unless options say otherwise.
 *
 * **Source** agent-harness.md, section 3
 *
 * @since 0.1.0
 * @category services
 */
export interface RawStdioClient extends AsyncDisposable {
  /**
   * Sends the text as UTF-8 and one LF, whatever is in it. Resolves when all of it has left.
   *
   * **Fails** with `AgentInputClosed` when the agent reads no more, `AgentClosed` when it has closed its output or is closed,
   * `FrameTooLarge` when more than 128 MiB wait to be sent
   */
  sendLine(text: string): Promise<void>
  /** Sends bytes and nothing else. */
  sendBytes(bytes: Uint8Array): Promise<void>
  /** Sends pieces, each when the one before has left and `gapMs` have passed. Nothing else is sent between them. */
  sendChunks(chunks: ReadonlyArray<Uint8Array>, options?: { readonly gapMs?: number }): Promise<void>
  /** Lets the agent read an end, behind what was sent. */
  endInput(): Promise<void>
  /**
   * Waits for the response to a request whose id is this string: that it comes says that the agent has echoed the id unchanged. An
   * error response is given like any other. Responses that earlier waits passed over are looked through first.
   *
   * **Fails** with `RequestTimeout`, which says how many other lines came and shows the last three
   */
  responseForId(id: string, options?: RawWaitOptions): Promise<JsonMessage>
  /** The next line that is a JSON object. **Fails** with `WaitTimeout`. */
  nextMessage(options?: RawWaitOptions): Promise<JsonMessage>
  /** The next such line that the predicate is true of. **Fails** with `WaitTimeout`, and with what the predicate throws. */
  waitForMessage(predicate: (message: JsonMessage) => boolean, options?: RawWaitOptions): Promise<JsonMessage>
  /** Waits so long, stretched like any wait, and **fails** with `ProtocolViolation` at the first line, be it blank. */
  expectSilence(ms: number): Promise<void>
  /** Notifications among the lines that were read, oldest first. */
  notifications(): ReadonlyArray<JsonMessage>
  /** Requests of the agent that were refused, oldest first. */
  refusals(): ReadonlyArray<RawAgentRequest>
  /** What was wrong with lines that came. */
  violations(): ReadonlyArray<RawViolation>
  /** The end of what the agent wrote to stderr, at most 64 KiB, not made fit to be shown. */
  stderr(): string
  /** `undefined` once the process has ended. */
  pid(): number | undefined
  processDiagnostics(): string
  startTerminate(): void
  startKill(): void
  /**
   * Ends the agent, waits until nothing of it is left, and removes its sandbox. All calls get the same result.
   *
   * **Takes** `mode`: `eof` ends its input and waits as long as its profile says before it goes on as `terminate`, the default
   * **Fails** with `KillTimeout`, or with what removing the sandbox failed with
   */
  close(options?: { readonly mode?: CloseMode }): Promise<RawEnd>
  kill(): Promise<RawEnd>
}
