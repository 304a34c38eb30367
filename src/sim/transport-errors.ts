import type { ConnectFailure, Dial } from "./link-network.ts"

/** The properties by which errors of one kind differ from others. */
interface ErrorTraits {
  readonly name?: string
  readonly code: string | undefined
  readonly [other: string]: unknown
}

const errorOf = (message: string, { name, code, ...traits }: ErrorTraits): Error => {
  const error = Object.assign(new Error(message), { code, ...traits })
  if (name !== undefined) error.name = name
  // By these marks `instanceof undici.errors.X` knows them, in every copy of undici.
  const marks = name === undefined ? [] : code === undefined ? ["UND_ERR_HTTP_PARSER"] : ["UND_ERR", code]
  for (const mark of marks) Object.defineProperty(error, Symbol.for(`undici.error.${mark}`), { value: true })
  return error
}

/**
 * What a client of undici is told when the network fails it: names, codes and messages are those of undici 7 and Node.
 *
 * @since 0.1.0
 * @category errors
 */
export const transportErrors = {
  refused: ({ host, port }: Dial, advice = ""): Error =>
    errorOf(`connect ECONNREFUSED ${host}:${port}${advice}`, {
      errno: -111,
      code: "ECONNREFUSED",
      syscall: "connect",
      address: host,
      port
    }),
  unknownHost: ({ host }: Dial): Error =>
    errorOf(`getaddrinfo ENOTFOUND ${host}`, {
      errno: -3008,
      code: "ENOTFOUND",
      syscall: "getaddrinfo",
      hostname: host
    }),
  noTls: (): Error =>
    errorOf("wrong version number: servers of a simulated world speak no TLS; use http:", {
      library: "SSL routines",
      reason: "wrong version number",
      code: "ERR_SSL_WRONG_VERSION_NUMBER"
    }),
  /** A header that undici lets nobody set. */
  badHeader: (name: string): Error =>
    name === "expect"
      ? errorOf("expect header not supported", { name: "NotSupportedError", code: "UND_ERR_NOT_SUPPORTED" })
      : errorOf(`invalid ${name} header`, { name: "InvalidArgumentError", code: "UND_ERR_INVALID_ARG" }),
  reset: (): Error => errorOf("read ECONNRESET", { errno: -104, code: "ECONNRESET", syscall: "read" }),
  brokenPipe: (): Error => errorOf("write EPIPE", { errno: -32, code: "EPIPE", syscall: "write" }),
  otherSideClosed: (): Error => errorOf("other side closed", { name: "SocketError", code: "UND_ERR_SOCKET" }),
  connectTimeout: ({ host, port }: Dial, ms: number): Error =>
    errorOf(`Connect Timeout Error (attempted address: ${host}:${port}, timeout: ${ms}ms)`, {
      name: "ConnectTimeoutError",
      code: "UND_ERR_CONNECT_TIMEOUT"
    }),
  headersTimeout: (): Error =>
    errorOf("Headers Timeout Error", { name: "HeadersTimeoutError", code: "UND_ERR_HEADERS_TIMEOUT" }),
  bodyTimeout: (): Error => errorOf("Body Timeout Error", { name: "BodyTimeoutError", code: "UND_ERR_BODY_TIMEOUT" }),
  wrongLength: (): Error =>
    errorOf("Response body length does not match content-length header", {
      name: "ResponseContentLengthMismatchError",
      code: "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"
    }),
  aborted: (): Error => errorOf("Request aborted", { name: "AbortError", code: "UND_ERR_ABORTED" }),
  destroyed: (): Error =>
    errorOf("The client is destroyed", { name: "ClientDestroyedError", code: "UND_ERR_DESTROYED" }),
  closed: (): Error => errorOf("The client is closed", { name: "ClientClosedError", code: "UND_ERR_CLOSED" }),
  noUpgrade: (): Error =>
    errorOf("a simulated connection cannot be upgraded", {
      name: "NotSupportedError",
      code: "UND_ERR_NOT_SUPPORTED"
    }),
  // The bundled parser gives no code.
  badResponse: (reason: string): Error =>
    errorOf(`Response does not match the HTTP/1.1 protocol (${reason})`, { name: "HTTPParserError", code: undefined })
} as const

/** What a client is told of a failed connect; `elsewhere` says how servers of the other network are reached. */
export const connectError = (why: ConnectFailure, dial: Dial, elsewhere: string): Error => {
  if (why === "unknownHost") return transportErrors.unknownHost(dial)
  if (why === "noTls") return transportErrors.noTls()
  return transportErrors.refused(dial, why === "elsewhere" ? `: ${elsewhere}` : "")
}
