import type { Header } from "../domain/request.ts"
import type { RequestWatch } from "./client-watch.ts"
import type { LinkEnd } from "./link.ts"
import type { Dial } from "./link-network.ts"
import { type BodyReader, makeBodyReader } from "./transport-body.ts"
import { transportErrors } from "./transport-errors.ts"
import { type HttpMessage, headerIn, type ResponseHead, type ResponseMessage, sizeOf } from "./transport-messages.ts"

/** A request as a client of undici would write it. */
export interface ClientRequest {
  readonly host: string
  readonly port: number
  /** Whether it is for `https:`. */
  readonly isSecure?: boolean
  readonly method: string
  readonly target: string
  readonly headers: ReadonlyArray<Header>
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | null
  /** Milliseconds; 0 is without end. Default: those of the client. */
  readonly headersTimeoutMs?: number
  readonly bodyTimeoutMs?: number
}

/** Who is told how a request fares. Nothing follows `end`, `failed` and an abort. */
export interface ClientWatcher {
  head(head: ResponseHead): void
  data(bytes: Uint8Array): void
  end(): void
  failed(error: Error): void
}

/** A request in progress. */
export interface ClientCall {
  /** Gives it up and closes its connection; the watcher is told nothing. */
  abort(): void
  pause(): void
  resume(): void
}

/** A connection of a client, and the call that has it. */
export interface ClientConnection {
  readonly end: LinkEnd<HttpMessage>
  user: { take(message: ResponseMessage): void; lost(error: Error): void } | null
}

/** The connections of a client, and its clock. */
export interface ClientPool {
  readonly connectMs: number
  readonly headersMs: number
  readonly bodyMs: number
  now(): number
  /** 0 ms is never. */
  arm(ms: number, label: string, fire: () => void): () => void
  free(dial: Dial): ClientConnection | undefined
  connect(dial: Dial, told: { opened(connection: ClientConnection): void; failed(error: Error): void }): () => void
  /** Gives a connection back; `keepAlive` is what the server said about how long. */
  release(connection: ClientConnection, keepAlive: string | undefined): void
  drop(connection: ClientConnection): void
}

/** All there is to know of a call. */
interface Call {
  readonly pool: ClientPool
  readonly dial: Dial
  readonly request: ClientRequest
  readonly watcher: ClientWatcher
  readonly watch: RequestWatch | null
  readonly over: () => void
  connection: ClientConnection | null
  head: ResponseHead | null
  reader: BodyReader | null
  /** Gives up a connect, or forgets the timer of what is waited for. */
  giveUpConnect: () => void
  forgetTimer: () => void
  heardAt: number
  isPaused: boolean
  isUploading: boolean
  isOver: boolean
}

/**
 * Sends a request on a connection of the pool and reads its answer; `over` is called when it is done, whichever way.
 *
 * @since 0.1.0
 * @category simulation
 */
export const startCall = (
  pool: ClientPool,
  parts: Pick<Call, "dial" | "request" | "watcher" | "watch" | "over">
): ClientCall & { fail(error: Error): void } => {
  const call: Call = {
    ...parts,
    pool,
    connection: null,
    head: null,
    reader: null,
    giveUpConnect: () => {},
    forgetTimer: () => {},
    heardAt: 0,
    isPaused: false,
    isUploading: false,
    isOver: false
  }
  const free = pool.free(parts.dial)
  if (free === undefined) connect(call)
  else begin(call, free)
  return {
    fail: (error) => fail(call, error),
    abort: () => giveUp(call),
    pause() {
      call.isPaused = true
      if (!call.isOver) call.connection?.end.pause()
    },
    resume() {
      call.isPaused = false
      call.heardAt = pool.now()
      if (!call.isOver) call.connection?.end.resume()
    }
  }
}

const over = (call: Call): void => {
  call.isOver = true
  call.forgetTimer()
  call.over()
}

const giveUp = (call: Call, how: "left" | "cut" = "left"): void => {
  if (call.isOver) return
  over(call)
  call.watch?.ended(how)
  call.giveUpConnect()
  if (call.connection !== null) call.pool.drop(call.connection)
}

const fail = (call: Call, error: Error): void => {
  if (call.isOver) return
  giveUp(call, "cut")
  call.watcher.failed(error)
}

const connect = (call: Call): void => {
  const { pool, dial } = call
  call.forgetTimer = pool.arm(pool.connectMs, "net/connectTimeout", () =>
    fail(call, transportErrors.connectTimeout(dial, pool.connectMs))
  )
  call.giveUpConnect = pool.connect(dial, {
    opened(connection) {
      call.giveUpConnect = () => {}
      call.forgetTimer()
      begin(call, connection)
    },
    failed: (error) => fail(call, error)
  })
}

/** Writes the request and waits for the head of its answer. */
const begin = (call: Call, connection: ClientConnection): void => {
  const { pool, request, watch } = call
  const { method, target, headers, body } = request
  call.connection = connection
  connection.user = {
    take: (message) => take(call, message),
    lost: (error) => fail(call, call.reader?.cutOff(error) ?? error)
  }
  if (call.isPaused) connection.end.pause()
  call.forgetTimer = pool.arm(request.headersTimeoutMs ?? pool.headersMs, "net/headersTimeout", () =>
    fail(call, transportErrors.headersTimeout())
  )
  const isWhole = body === null || body instanceof Uint8Array
  const first = isWhole && body !== null ? body : noBytes
  const message = { kind: "request", head: { method, target, headers }, body: first, isWhole, watch } as const
  connection.end.send(message, sizeOf(message))
  if (isWhole) return
  call.isUploading = true
  upload(call, body, connection.end).then(
    () => {
      call.isUploading = false
    },
    (error: unknown) => fail(call, error instanceof Error ? error : new Error(String(error)))
  )
}

const noBytes = new Uint8Array()

const upload = async (call: Call, body: AsyncIterable<Uint8Array>, end: LinkEnd<HttpMessage>): Promise<void> => {
  for await (const piece of body) {
    if (call.isOver) return
    end.send({ kind: "body", body: piece, isLast: false }, piece.byteLength)
  }
  if (!call.isOver) end.send({ kind: "body", body: noBytes, isLast: true }, 0)
}

const take = (call: Call, message: ResponseMessage): void => {
  call.heardAt = call.pool.now()
  if (call.head === null) takeHead(call, message.head)
  for (const piece of message.body) {
    if (call.isOver) return
    if (message.isRaw) call.reader?.raw(piece)
    else call.reader?.bytes(piece)
  }
  if (message.isEnd && !message.isRaw && !call.isOver) call.reader?.end()
}

const takeHead = (call: Call, head: ResponseHead | null): void => {
  if (head === null) {
    fail(call, transportErrors.badResponse("Expected HTTP/, RTSP/ or ICE/"))
    return
  }
  call.head = head
  waitForBody(call)
  call.reader = makeBodyReader(call.request.method, head, {
    data(bytes) {
      call.watch?.data(bytes)
      call.watcher.data(bytes)
    },
    whole: (isClean) => whole(call, isClean),
    failed: (error) => fail(call, error)
  })
  call.watch?.answered(head)
  call.watcher.head(head)
  if (!call.isOver) call.reader.begin()
}

/** Looks from time to time whether anything came, which is cheaper than a new timer for each piece. */
const waitForBody = (call: Call): void => {
  const { pool, request } = call
  const ms = request.bodyTimeoutMs ?? pool.bodyMs
  const look = (): void => {
    const left = call.isPaused ? ms : call.heardAt + ms - pool.now()
    if (left <= 0) fail(call, transportErrors.bodyTimeout())
    else call.forgetTimer = pool.arm(left, "net/bodyTimeout", look)
  }
  call.forgetTimer()
  call.forgetTimer = pool.arm(ms, "net/bodyTimeout", look)
}

const whole = (call: Call, isClean: boolean): void => {
  const { pool, connection, head } = call
  over(call)
  call.watch?.ended("end")
  if (connection !== null) {
    if (isClean && !call.isUploading) pool.release(connection, headerIn(head?.headers ?? [], "keep-alive"))
    else pool.drop(connection)
  }
  call.watcher.end()
}
