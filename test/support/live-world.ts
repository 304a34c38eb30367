import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { Effect } from "effect"
import { onTestFinished } from "vitest"
import type { MockInferenceServer, ServerOptions, TraceEvent } from "../../src/index.ts"
import type { ServerPreset } from "../../src/inference/server-api.ts"
import { startServer } from "../../src/inference/start-server.ts"
import type { Clock } from "../../src/kernel/clock.ts"
import { liveClock } from "../../src/live/clock.ts"
import { makeLiveHttp } from "../../src/live/http-server.ts"
import type { HttpPort } from "../../src/ports/http-port.ts"
import { makeLifetime } from "../../src/supervisor/lifetime.ts"

/** A server on a real port, and what happens on its connections. */
export interface LiveWorld {
  readonly server: MockInferenceServer
  readonly origin: string
  /** Connections that the server holds. */
  connections(): number
  /** Timers and immediates that the server has armed. */
  armed(): number
  /** Waits until the server holds this many connections. */
  waitConnections(count: number): Promise<void>
  /** Waits until the trace has this many events that `isWanted`. */
  waitTrace(isWanted: (event: TraceEvent) => boolean, count?: number): Promise<void>
  open(): RawClient
}

/** Starts a server in profile compact, unless told otherwise; it is closed when the test is over. */
export const startLive = async (
  options: ServerOptions & ServerPreset = {},
  limits: { readonly headMs?: number } = {}
): Promise<LiveWorld> => {
  const http = watchedHttp(makeLiveHttp(limits))
  const clock = watchedClock()
  const server = await new Promise<MockInferenceServer>((started, failed) => {
    const ports = { clock, http: http.port, lifetime: makeLifetime(Effect.runSync) }
    startServer(ports, { profile: "compact", ...options }, { started, failed })
  })
  onTestFinished(async () => {
    await server.close({ drainMs: 0 })
  })
  const { port } = new URL(server.origin())
  return {
    server,
    origin: server.origin(),
    connections: http.connections,
    armed: clock.armed,
    waitConnections: http.waitConnections,
    waitTrace: (isWanted, count = 1) =>
      new Promise((resolve) => {
        let left = count - server.traceEvents().filter(isWanted).length
        if (left <= 0) resolve()
        const stop = server.watchTrace((event) => {
          if (!isWanted(event) || --left > 0) return
          stop()
          resolve()
        })
      }),
    open: () => openRaw(Number(port))
  }
}

/** The clock of this machine, and a count of what is armed. */
const watchedClock = (): Clock & { armed(): number } => {
  const armed = new Set<symbol>()
  return {
    now: liveClock.now,
    wallMs: liveClock.wallMs,
    armed: () => armed.size,
    arm(ms, label, fire) {
      const timer = Symbol(label)
      armed.add(timer)
      const forget = liveClock.arm(ms, label, () => {
        armed.delete(timer)
        fire()
      })
      return () => {
        armed.delete(timer)
        forget()
      }
    }
  }
}

/** The same port, and a count of its connections that can be waited for. */
const watchedHttp = (port: HttpPort) => {
  const waits = new Set<() => void>()
  let open = 0
  const count = (change: number): void => {
    open += change
    for (const look of waits) look()
  }
  const watched: HttpPort = {
    listen: (address, app, report) =>
      port.listen(
        address,
        {
          connected(destroy) {
            count(1)
            const connection = app.connected(destroy)
            return {
              open: connection.open,
              closed() {
                connection.closed()
                count(-1)
              }
            }
          }
        },
        report
      )
  }
  const waitConnections = (wanted: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (open !== wanted) return
        waits.delete(look)
        resolve()
      }
      waits.add(look)
      look()
    })
  return { port: watched, connections: () => open, waitConnections }
}

/** A client that writes bytes and reads bytes. */
export interface RawClient {
  readonly socket: Socket
  write(bytes: string | Uint8Array): void
  /** Waits until what was read fits; gives all of it. Fails when the connection ends before. */
  read(isEnough: RegExp): Promise<string>
  /** Waits for the end of the connection; gives all that was read. */
  readToEnd(): Promise<string>
  leave(): void
}

export const openRaw = (port: number): RawClient => {
  const socket = connect({ host: "127.0.0.1", port })
  let text = ""
  const looks = new Set<() => void>()
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => resolve())
  })
  // A reset is one of the ways in which a connection may end here.
  socket.on("error", () => {})
  // Bytes are read when somebody wants them: until then this is a client that does not read.
  const listen = (): void => {
    if (socket.listenerCount("data") > 0) return
    socket.setEncoding("latin1")
    socket.on("data", (piece) => {
      text += String(piece)
      for (const look of looks) look()
    })
  }
  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    read(isEnough) {
      listen()
      return new Promise((resolve, reject) => {
        const look = (): void => {
          if (!isEnough.test(text)) return
          looks.delete(look)
          resolve(text)
        }
        looks.add(look)
        look()
        closed.then(() => reject(new Error(`the connection ended; this was read:\n${text}`)))
      })
    },
    async readToEnd() {
      listen()
      await closed
      return text
    },
    leave: () => void socket.destroy()
  }
}

/** A POST with a JSON body as bytes. */
export const rawPost = (path: string, body: string, headers: ReadonlyArray<string> = []): string =>
  [
    `POST ${path} HTTP/1.1`,
    "host: mock",
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    ...headers,
    "",
    body
  ].join("\r\n")

/** Waits until a socket is connected. */
export const connected = async (client: RawClient): Promise<void> => {
  if (client.socket.connecting) await once(client.socket, "connect")
}
