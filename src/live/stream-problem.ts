import type { StreamProblem } from "../ports/stream-port.ts"
import { codeOf } from "./proc-files.ts"

const kinds: Readonly<Record<string, Exclude<StreamProblem["kind"], "path too long">>> = {
  ENOENT: "missing",
  ENOTDIR: "missing",
  ECONNREFUSED: "refused",
  // What stands there is no socket: nobody serves it.
  ENOTSOCK: "refused",
  EACCES: "not allowed",
  EPERM: "not allowed",
  EADDRINUSE: "in use"
}

/** Why a listener or a connection did not come about, from the error of the system. @since 0.1.0 @category streams */
export const problemOf = (error: unknown): StreamProblem => {
  const code = codeOf(error)
  const reason = error instanceof Error ? error.message : String(error)
  return { kind: kinds[code ?? ""] ?? "other", code, reason }
}
