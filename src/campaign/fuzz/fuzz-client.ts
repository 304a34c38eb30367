/** What a client is made with, once in each run. */
export interface FuzzSetup {
  /** `ann`, `bob`, ... */
  readonly name: string
  /** `http://HOST:PORT/v1`: the base URL of OpenAI clients. */
  readonly baseURL: string
  /** `http://HOST:PORT`: the base URL of Anthropic clients. */
  readonly origin: string
  /** Every request has to go by it. */
  readonly fetch: typeof fetch
}

/** One turn of a conversation, as somebody asks a client to make it. */
export interface FuzzTurn {
  /** What the user says. It has to reach the model as it is; earlier turns may be sent along. */
  readonly prompt: string
  /** Aborted when the user gives the turn up. */
  readonly signal: AbortSignal
  /**
   * Executes what the model asked for, and gives the result to send back. Requests that offer a tool get calls of it, each with
   * an id of its own; who offers none gets none.
   */
  callTool(id: string): Promise<string>
}

/** Makes a turn, tools and retries included, and gives the text that the user gets to see. Rejects when it cannot. */
export type MakeTurn = (turn: FuzzTurn) => PromiseLike<string>

/**
 * A client to be fuzzed: made once in each run for each of its users.
 *
 * @since 0.1.0
 * @category fuzzing
 */
export type FuzzClient = (setup: FuzzSetup) => MakeTurn | PromiseLike<MakeTurn>
