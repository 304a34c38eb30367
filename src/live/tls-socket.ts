import { isIP, type Socket } from "node:net"
import { connect, type TLSSocket } from "node:tls"
import type { StreamProblem, UpstreamAddress } from "../ports/stream-port.ts"
import { codeOf } from "./proc-files.ts"
import { problemOf } from "./stream-problem.ts"

/**
 * Speaks TLS over a socket that is connecting or connected. The certificate of the server is checked against the host, and against
 * `trusted` (PEM), or what Node trusts, to which `NODE_EXTRA_CA_CERTS` adds.
 *
 * **Gives** the socket, which says `secureConnect`, and what its errors before that mean
 *
 * @since 0.1.0
 * @category streams
 */
export const connectTls = (
  carrier: Socket,
  { host, port }: Extract<UpstreamAddress, { readonly kind: "tls" }>,
  trusted: string | undefined
): { readonly socket: TLSSocket; readonly problemOf: (error: Error) => StreamProblem } => {
  const socket = connect({
    socket: carrier,
    host,
    // The name by which a server chooses its certificate; none for an address.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(trusted === undefined ? {} : { ca: trusted })
  })
  // The socket tells it as its own.
  carrier.on("error", () => {})
  return { socket, problemOf: (error) => tlsProblem(error, { socket, where: `${host}:${port}` }) }
}

const tlsProblem = (
  error: Error,
  { socket, where }: { readonly socket: TLSSocket; readonly where: string }
): StreamProblem => {
  const problem = problemOf(error)
  // Set when the certificate was looked at, and was none that is trusted.
  if (socket.authorizationError) {
    const help = problem.code === "ERR_TLS_CERT_ALTNAME_INVALID" ? "" : `; ${trustHelp}`
    return {
      kind: "other",
      code: problem.code,
      reason: `the certificate of ${where} is refused: ${error.message}${help}`
    }
  }
  if (problem.code === "ECONNRESET")
    return { kind: "other", code: problem.code, reason: `${where} has closed the connection before TLS was agreed on` }
  const said: unknown = Reflect.get(error, "reason")
  if (codeOf(error)?.startsWith("ERR_SSL_") !== true) return problem
  return { kind: "other", code: problem.code, reason: `${where} does not speak TLS with us: ${String(said)}` }
}

const trustHelp = "NODE_EXTRA_CA_CERTS names a file with certificates to be trusted besides, read when Node starts"
