import { linkSync, lstatSync, renameSync, rmSync, statSync } from "node:fs"
import { connect, createServer, type Server, type Socket } from "node:net"
import { dirname } from "node:path"
import {
  addressProblem,
  type ListenerReport,
  type StreamAddress,
  type StreamListener,
  type StreamProblem
} from "../ports/stream-port.ts"
import { portOf } from "./listening-port.ts"
import { problemOf } from "./stream-problem.ts"
import { serveSocket } from "./stream-socket.ts"

interface ListenParts {
  readonly report: ListenerReport
  readonly pathBytesMax: number
  /** Those that listen. */
  readonly listeners: Set<object>
  readonly kept: (socket: Socket) => Socket
}

/**
 * Listens at an address.
 *
 * **Source** agent-harness.md, section 6.1
 *
 * @since 0.1.0
 * @category streams
 */
export const startListening = (address: StreamAddress, parts: ListenParts): StreamListener => {
  const { report, pathBytesMax, listeners, kept } = parts
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    serveSocket(kept(socket), report.accepted)
  )
  let isOver = false
  let isBound = false
  let isBinding = false
  let ownFile: bigint | null = null
  const leave = (): void => {
    isOver = true
    listeners.delete(server)
    if (!server.listening) return
    if (address.kind === "unix") closeAtPath(server, address.path, ownFile)
    else server.close()
  }
  const fail = (problem: StreamProblem): void => {
    if (isOver) return
    leave()
    if (isBound) report.lost(problem)
    else report.failed(problem)
  }
  const bind = (): void => {
    if (isOver) return
    isBinding = true
    server.on("error", (error) => {
      isBinding = false
      fail(problemOf(error))
    })
    server.once("listening", () => {
      isBinding = false
      if (address.kind === "unix") ownFile = fileAt(address.path)
      if (isOver) return leave()
      isBound = true
      report.bound(address.kind === "unix" ? address : { ...address, port: portOf(server) })
    })
    listeners.add(server)
    server.listen(address.kind === "unix" ? { path: address.path } : { host: address.host, port: address.port })
  }
  const problem = addressProblem(address, pathBytesMax)
  setImmediate(() => {
    if (isOver) return
    if (problem !== null) fail(problem)
    else if (address.kind === "tcp") bind()
    else clearPath(address.path, (found) => (found === null ? bind() : fail(found)))
  })
  return {
    close(done) {
      leave()
      const tell = (): void => {
        if (isBinding) setImmediate(tell)
        else done()
      }
      setImmediate(tell)
    }
  }
}

/** Which file stands at a path; `null` for none. */
const fileAt = (path: string): bigint | null => {
  try {
    return lstatSync(path, { bigint: true }).ino
  } catch {
    return null
  }
}

/**
 * Closes a server, and with it goes the file of its socket. Whatever stands at its path would go; what somebody else has put there in the
 * meantime is kept.
 */
const closeAtPath = (server: Server, path: string, ownFile: bigint | null): void => {
  const there = fileAt(path)
  if (there === null || there === ownFile || ownFile === null) {
    server.close()
    return
  }
  const aside = `${path}.${there}`
  const isAside = hasDone(() => linkSync(path, aside))
  server.close()
  if (isAside) hasDone(() => renameSync(aside, path))
}

/** Whether the file system let us; where it does not, nothing can be kept. */
const hasDone = (act: () => void): boolean => {
  try {
    act()
    return true
  } catch {
    return false
  }
}

/** Tells a file at a path from one that is put there later, which may get its number; `null` for none. */
const makingAt = (path: string): string | null => {
  try {
    const { ino, ctimeNs } = lstatSync(path, { bigint: true })
    return `${ino} ${ctimeNs}`
  } catch {
    return null
  }
}

/** Removes a socket that nobody serves; tells what keeps the path from being used. */
const clearPath = (path: string, told: (problem: StreamProblem | null) => void): void => {
  const found = lookAt(path)
  if (found !== "socket") {
    told(found === "nothing" ? null : found)
    return
  }
  const asked = makingAt(path)
  const socket = connect({ path })
  socket.once("connect", () => {
    socket.destroy()
    told({ kind: "in use", code: "EADDRINUSE", reason: `somebody accepts connections at ${path}` })
  })
  socket.once("error", (error) => {
    const problem = problemOf(error)
    if (problem.kind !== "refused" && problem.kind !== "missing") told(problem)
    // Another may have taken the path in the meantime, and listens there.
    else if (makingAt(path) !== asked) clearPath(path, told)
    else told(removed(path))
  })
}

const lookAt = (path: string): StreamProblem | "nothing" | "socket" => {
  try {
    const there = lstatSync(path, { throwIfNoEntry: false })
    if (there?.isSocket() === true) return "socket"
    if (there !== undefined) {
      return { kind: "no socket", code: "EADDRINUSE", reason: `${path} is there, and is no socket` }
    }
    // The system calls a folder that is missing one that may not be written.
    statSync(dirname(path))
    return "nothing"
  } catch (error) {
    return problemOf(error)
  }
}

const removed = (path: string): StreamProblem | null => {
  try {
    rmSync(path, { force: true })
    return null
  } catch (error) {
    return problemOf(error)
  }
}
