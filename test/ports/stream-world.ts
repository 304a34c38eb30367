import type { Clock } from "../../src/kernel/clock.ts"
import type {
  ListenerReport,
  StreamAddress,
  StreamListener,
  StreamPort,
  StreamProblem,
  StreamSocket,
  UpstreamAddress
} from "../../src/ports/stream-port.ts"

/** A world with sockets, and what a test of them needs besides. */
export interface StreamWorld {
  readonly streams: StreamPort
  readonly clock: Clock
  /** A path at which nothing stands, in a folder that is there. */
  freshPath(): string
  /** Puts a socket at a path that nobody serves. */
  putStale(path: string): Promise<void>
  /** Puts a file there that is no socket. */
  putFile(path: string): void
  isThere(path: string): boolean
  /** Waits for something that the world will do. */
  settled<A>(promise: Promise<A>): Promise<A>
  /** Waits until nothing more happens, as where everybody waits for somebody else. Timers do not count as something. */
  quiet(): Promise<void>
}

/** One end of a connection, and what was reported of it. */
export interface WatchedSocket {
  readonly socket: StreamSocket
  /** What has come, in one piece. */
  text(): string
  received(): number
  /** In order: `ended`, then `closed` with why. */
  readonly reports: ReadonlyArray<string>
  readonly ended: Promise<void>
  readonly closed: Promise<string | null>
  /** Settles when so many bytes have come. */
  has(bytes: number): Promise<void>
  write(text: string | Uint8Array): Promise<string | null>
  /** Calls `hear` with what has come, and with what comes. */
  heard(hear: (bytes: Uint8Array) => void): void
}

/** Watches a socket from its first moment on; with `isPaused` it reads nothing at first. */
export const watch = (
  socket: StreamSocket,
  { isPaused = false } = {}
): { readonly watched: WatchedSocket; readonly report: ReturnType<ListenerReport["accepted"]> } => {
  if (isPaused) socket.pause()
  const chunks: Array<Uint8Array> = []
  const reports: Array<string> = []
  const ended = promise<void>()
  const closed = promise<string | null>()
  const goals: Array<{ readonly bytes: number; readonly reached: () => void }> = []
  const hearers: Array<(bytes: Uint8Array) => void> = []
  let bytesReceived = 0
  const received = (): number => bytesReceived
  const tellGoals = (): void => {
    for (const { bytes, reached } of goals) if (bytesReceived >= bytes) reached()
  }
  return {
    report: {
      received(bytes) {
        chunks.push(bytes.slice())
        bytesReceived += bytes.length
        for (const hear of hearers) hear(bytes)
        tellGoals()
      },
      ended() {
        reports.push("ended")
        ended.resolve()
      },
      closed(problem) {
        reports.push(`closed ${problem}`)
        closed.resolve(problem)
      }
    },
    watched: {
      socket,
      text: () => Buffer.concat(chunks).toString(),
      received,
      reports,
      ended: ended.promise,
      closed: closed.promise,
      has: (bytes) =>
        new Promise((reached) => {
          goals.push({ bytes, reached })
          tellGoals()
        }),
      write: (text) =>
        new Promise((resolve) =>
          socket.write(typeof text === "string" ? new TextEncoder().encode(text) : text, resolve)
        ),
      heard(hear) {
        for (const chunk of chunks) hear(chunk)
        hearers.push(hear)
      }
    }
  }
}

/** A listener that is bound, and the ends that it has accepted. */
export interface WatchedListener {
  readonly address: StreamAddress
  readonly listener: StreamListener
  /** The next end that it accepts. */
  accepted(): Promise<WatchedSocket>
  close(): Promise<void>
}

export const listen = (
  streams: StreamPort,
  address: StreamAddress,
  { isPaused = false } = {}
): Promise<WatchedListener | StreamProblem> =>
  new Promise((resolve) => {
    const ready: Array<WatchedSocket> = []
    const waiting: Array<(socket: WatchedSocket) => void> = []
    const listener = streams.listen(address, {
      bound: (bound) =>
        resolve({
          address: bound,
          listener,
          accepted: () =>
            new Promise((taken) => {
              const first = ready.shift()
              if (first === undefined) waiting.push(taken)
              else taken(first)
            }),
          close: () => new Promise((closed) => listener.close(closed))
        }),
      failed: resolve,
      accepted(socket) {
        const { watched, report } = watch(socket, { isPaused })
        const taken = waiting.shift()
        if (taken === undefined) ready.push(watched)
        else taken(watched)
        return report
      },
      lost: () => {}
    })
  })

export const connect = (streams: StreamPort, address: UpstreamAddress): Promise<WatchedSocket | StreamProblem> =>
  new Promise((resolve) => {
    streams.connect(address, {
      opened(socket) {
        const { watched, report } = watch(socket)
        resolve(watched)
        return report
      },
      failed: resolve
    })
  })

/** What is no problem. */
export const right = <A extends object>(outcome: A | StreamProblem): A => {
  if ("reason" in outcome) throw new Error(outcome.reason)
  return outcome
}

const promise = <A>(): { readonly promise: Promise<A>; readonly resolve: (value: A) => void } => {
  let resolve: (value: A) => void = () => {}
  const made = new Promise<A>((settle) => {
    resolve = settle
  })
  return { promise: made, resolve }
}

/** Both ends of a connection, and who has accepted it. */
export interface Pair {
  readonly world: StreamWorld
  readonly near: WatchedSocket
  readonly far: WatchedSocket
  readonly served: WatchedListener
}

/** Connects in a new world. */
export const pairIn = async (
  makeWorld: () => StreamWorld,
  kind: "unix" | "tcp",
  options?: { readonly isPaused: boolean }
): Promise<Pair> => {
  const world = makeWorld()
  const address: StreamAddress =
    kind === "tcp" ? { kind, host: "127.0.0.1", port: 0 } : { kind, path: world.freshPath() }
  const served = right(await world.settled(listen(world.streams, address, options)))
  const near = right(await world.settled(connect(world.streams, served.address)))
  const far = await world.settled(served.accepted())
  return { world, near, far, served }
}
