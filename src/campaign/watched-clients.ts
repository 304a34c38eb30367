import { createHash } from "node:crypto"
import type { RunFact } from "../oracles/run-event.ts"
import type { ClientWatch, DialWatch, RequestEnd, RequestWatch } from "../sim/client-watch.ts"
import type { ClientRequest } from "../sim/transport-call.ts"
import { headerIn, type ResponseHead } from "../sim/transport-messages.ts"
import { type CallTag, currentCall } from "./call-context.ts"
import { isModelPath, requestIdentity } from "./request-identity.ts"
import { retryAfterMs } from "./retry-after.ts"
import { type SocketCalls, watchSocketCalls } from "./socket-calls.ts"
import { withoutComments } from "./stream-comments.ts"
import { type StreamFact, streamFacts } from "./stream-facts.ts"

/** A request of a simulated client, while it is under way. */
export interface Attempt {
  readonly client: string
  readonly call: string
  readonly attempt: number
  readonly method: string
  readonly target: string
  /** `HOST:PORT`. */
  readonly to: string
  /** Its number among the requests of the run, once a server has it. */
  request: number | null
  /** The status of its answer, once there is one. */
  status: number | null
}

/** What clients do, seen on their network. */
export interface WatchedClients {
  readonly watch: ClientWatch
  readonly dials: DialWatch
  /** Requests that are under way, oldest first. */
  attempts(): ReadonlyArray<Attempt>
  /** A server has taken a request into its trace; tells which of the clients sent it. */
  arrived(request: number, at: ArrivedAt): void
  /** Nobody looks any more. */
  over(): void
}

/** The server that has a request: by its number, and whether equal requests are one call for it. */
export interface ArrivedAt {
  readonly server: number
  readonly hasReplays: boolean
}

/** `isJudged` is false where nobody looks at streams and bodies, which cost more to read than to carry. */
export interface WatchedClientsOptions {
  /** Who is told of facts, if anybody. */
  readonly tell: ((client: string, fact: RunFact) => void) | undefined
  readonly isJudged: boolean
  /** Milliseconds since 1970. */
  readonly wallMs: () => number
}

/**
 * Makes facts of what simulated clients send and get, without a word from them.
 *
 * @since 0.1.0
 * @category constructors
 */
export const watchClients = ({ tell, isJudged, wallMs }: WatchedClientsOptions): WatchedClients => {
  const open = new Set<Attempt>()
  const bare = new Map<string, number>()
  let arriving: { readonly attempt: Attempt; readonly request: ClientRequest } | null = null

  /** A request that belongs to no call is one of its own. */
  const nameBare = (client: string): Pick<Attempt, "client" | "call" | "attempt"> => {
    const count = (bare.get(client) ?? 0) + 1
    bare.set(client, count)
    return { client, call: `request ${count}`, attempt: 1 }
  }
  const nameOf = (client: string, tag: CallTag | null): Pick<Attempt, "client" | "call" | "attempt"> => {
    if (tag === null) return nameBare(client)
    tag.attempts++
    return { client: tag.client, call: tag.call, attempt: tag.attempts }
  }

  const sent = (client: string, request: ClientRequest, tag = currentCall()): RequestWatch => {
    const { method, target } = request
    const to = `${request.host}:${request.port}`
    const attempt: Attempt = { ...nameOf(client, tag), method, target, to, request: null, status: null }
    const about = { call: attempt.call, attempt: attempt.attempt }
    const answer = isJudged ? readAnswer(isModelPath(target)) : null
    open.add(attempt)
    tell?.(attempt.client, { type: "attempt.sent", ...about, to, ...(isJudged ? asked(request) : {}) })
    return {
      arriving(take) {
        arriving = { attempt, request }
        try {
          take()
        } finally {
          arriving = null
        }
      },
      answered(head) {
        const { status } = head
        attempt.status = status
        const isStream = answer?.begin(head) ?? false
        if (tell === undefined) return
        const retry = retryAfterMs(head.headers, wallMs())
        tell(attempt.client, { type: "attempt.answered", ...about, status, isStream, retryAfterMs: retry })
      },
      data(bytes) {
        if (answer === null) return
        for (const fact of answer.read(bytes))
          tell?.(attempt.client, { type: "stream.event", ...about, position: null, ...fact })
      },
      ended(how: RequestEnd) {
        open.delete(attempt)
        tell?.(attempt.client, { type: "answer.ended", ...about, how, body: answer?.digest() ?? "" })
      }
    }
  }

  let calls: SocketCalls | null = null

  /** Whose a request is, its code says as far as it can: what waited for a connection is written by the code that had it before. */
  const connector: DialWatch["connector"] = (client) => {
    calls ??= watchSocketCalls()
    const known = calls
    return () => {
      let dialler = currentCall()
      return {
        begun(socket) {
          const call = known.callOn(socket)
          const tag = call === undefined ? (currentCall() ?? dialler) : call
          dialler = null
          return (request) => sent(client, request, tag)
        }
      }
    }
  }

  return {
    watch: { sent: (client, request) => sent(client, request) },
    dials: { connector },
    over: () => calls?.stop(),
    attempts: () => [...open],
    arrived(number, { server, hasReplays }) {
      // One request may make several requests of a server where one server asks another; the first is this one.
      if (arriving === null || arriving.attempt.request !== null) return
      const { attempt, request } = arriving
      attempt.request = number
      const identity = isJudged && hasReplays ? requestIdentity(request) : null
      // Who asks two servers the same has two calls.
      const fingerprint = typeof identity === "string" ? `${server} ${identity}` : identity
      const { client, call } = attempt
      tell?.(client, {
        type: "attempt.arrived",
        call,
        attempt: attempt.attempt,
        request: number,
        ...(fingerprint === undefined ? {} : { fingerprint })
      })
    }
  }
}

interface AnswerReader {
  /** Says whether it is a stream. */
  begin(head: ResponseHead): boolean
  read(bytes: Uint8Array): ReadonlyArray<StreamFact>
  /** Of all that came, but for comments of a stream. */
  digest(): string
}

/** A body that is still on its way is known by nothing. */
const asked = ({ method, target, body }: ClientRequest): { readonly asks?: string } => {
  if (body !== null && !(body instanceof Uint8Array)) return {}
  const hash = createHash("sha256").update(`${method} ${target} `)
  return { asks: (body === null ? hash : hash.update(body)).digest("hex").slice(0, digestLength) }
}

/** Only what a model sends is a stream with a last event. */
const readAnswer = (isModel: boolean): AnswerReader => {
  const hash = createHash("sha256")
  let read: ((bytes: Uint8Array) => ReadonlyArray<StreamFact>) | null = null
  let said = (bytes: Uint8Array): Uint8Array => bytes
  return {
    begin({ headers }) {
      const isStream = isModel && (headerIn(headers, "content-type") ?? "").startsWith("text/event-stream")
      if (isStream) {
        read = streamFacts()
        said = withoutComments()
      }
      return isStream
    },
    read(bytes) {
      hash.update(said(bytes))
      return read?.(bytes) ?? []
    },
    digest: () => hash.digest("hex").slice(0, digestLength)
  }
}

const digestLength = 16
