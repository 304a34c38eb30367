import { InvalidOption } from "../domain/errors.ts"
import { describe } from "../domain/json.ts"
import { isLoopback, type StreamAddress, type UpstreamAddress } from "../ports/stream-port.ts"

/** Where a proxy connects to, and what is spoken there when nothing else is said. */
export interface Upstream {
  readonly address: UpstreamAddress
  readonly framing: "lengthPrefixed" | "http"
}

/** A text that was read, or what is wrong with it, as the end of a sentence whose subject is its name. */
export type EndpointReading<A> = { readonly value: A } | { readonly problem: string }

/**
 * Reads where to listen: `unix:PATH`, a path alone (with a `/` in it, or a `.` at its beginning), `tcp:HOST:PORT`, `tcp:PORT` for
 * 127.0.0.1. An IPv6 address stands in brackets. The host is one of loopback; port 0 is any free one.
 *
 * **Takes** `name`: what the text is called in messages
 * **Fails** with `InvalidOption`
 * **Source** agent-harness.md, section 6.1
 *
 * @since 0.1.0
 * @category encoding
 */
export const readEndpoint = (text: unknown, name = "listen"): StreamAddress => orInvalid(endpointOf(text), name)

/**
 * Reads where to connect to: the same, also on other machines, and `http://HOST[:PORT]` or `https://HOST[:PORT]`, whose ports are 80
 * and 443 by default. Port 0 is none.
 *
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category encoding
 */
export const readUpstream = (text: unknown, name = "upstream"): Upstream => orInvalid(upstreamOf(text), name)

const orInvalid = <A>(reading: EndpointReading<A>, name: string): A => {
  if ("value" in reading) return reading.value
  throw new InvalidOption(`${name} ${reading.problem}`)
}

/** As `readEndpoint`, without a failure. @since 0.1.0 @category encoding */
export const endpointOf = (text: unknown): EndpointReading<StreamAddress> => {
  const shown = typeof text === "string" ? withoutKeys(text) : text
  const refused = (problem: string) => ({ problem: `is ${describe(shown)}; ${problem}` })
  if (typeof text !== "string") return refused(`give ${listenForms}`)
  if (/^https?:/i.test(text)) return refused(`that is for an upstream; give ${listenForms}`)
  const reading = addressOf(text, listenForms)
  if ("problem" in reading) return refused(reading.problem)
  const { value } = reading
  if (value.kind === "unix" || isLoopback(value.host)) return reading
  return refused(`only this machine is served; give a host of loopback, as in tcp:127.0.0.1:${value.port}`)
}

/** As `readUpstream`, without a failure. @since 0.1.0 @category encoding */
export const upstreamOf = (text: unknown): EndpointReading<Upstream> => {
  const shown = typeof text === "string" ? withoutKeys(text) : text
  const refused = (problem: string) => ({ problem: `is ${describe(shown)}; ${problem}` })
  if (typeof text !== "string") return refused(`give ${upstreamForms}`)
  const isUrl = /^https?:/i.test(text)
  const reading = isUrl ? urlAddress(text) : addressOf(text, upstreamForms)
  if ("problem" in reading) return refused(reading.problem)
  const { value: address } = reading
  if (address.kind !== "unix" && address.port === 0) return refused("nobody serves port 0; give the one that is served")
  return { value: { address, framing: isUrl ? "http" : "lengthPrefixed" } }
}

/** What people put keys into is not repeated in a message. */
const withoutKeys = (text: string): string => {
  const [scheme = ""] = /^(?:tcp:|[a-z][a-z\d+.-]*:\/\/)/i.exec(text) ?? []
  if (scheme === "" && text.includes("/")) return text
  const rest = text.slice(scheme.length).replace(/\?.*$/s, "?…")
  return `${scheme}${rest.replace(/^.*@/s, "…@")}`
}

const listenForms = "unix:PATH or tcp:HOST:PORT, as in tcp:127.0.0.1:0 for any free port"
const upstreamForms = "unix:PATH, tcp:HOST:PORT, http://HOST:PORT or https://HOST"
const portMax = 65_535

const addressOf = (text: string, forms: string): EndpointReading<StreamAddress> => {
  const scheme = /^(unix|tcp):/i.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined && /^[a-z][a-z\d+.-]*:\/\//i.test(text))
    return { problem: `no such scheme is known; give ${forms}` }
  if (scheme === "tcp") return tcpAddress(text.slice("tcp:".length))
  const path = scheme === "unix" ? text.slice("unix:".length) : text
  if (path === "") return { problem: scheme === "unix" ? "the path is missing" : `give ${forms}` }
  if (path.includes("\0")) return { problem: "no path holds a NUL" }
  if (scheme === "unix" || path.includes("/") || path.startsWith(".")) return { value: { kind: "unix", path } }
  if ("value" in tcpAddress(text)) return { problem: `did you mean "tcp:${text}"?` }
  return { problem: `give ${forms}; a path alone has a / in it, as in ./${withoutKeys(path)}` }
}

/** `HOST:PORT`, `[HOST]:PORT`, `PORT` */
const tcpAddress = (text: string): EndpointReading<StreamAddress> => {
  const [, bracketed, plain = "127.0.0.1", digits = ""] =
    /^(?:(?:\[([^\]]*)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits === "" || port > portMax) {
    const help = text.split(":").length > 2 && !text.startsWith("[") ? "; an IPv6 address stands in brackets" : ""
    return { problem: `give a host and a port from 0 to ${portMax}, as in tcp:127.0.0.1:4010${help}` }
  }
  if (bracketed === undefined) {
    if (plain.startsWith("//")) return { problem: "leave out the // behind tcp:" }
    if (plain.includes("@")) return { problem: "leave out what is before the @" }
    if (!/^[\w.-]+$/.test(plain)) return { problem: `${describe(plain)} is no host` }
    return { value: { kind: "tcp", host: plain, port } }
  }
  if (!isIpV6(bracketed)) return { problem: `${describe(bracketed)} is no IPv6 address` }
  return { value: { kind: "tcp", host: bracketed, port } }
}

const isIpV6 = (text: string): boolean => /^[\da-f:.]*:[\da-f:.]*$/i.test(text) && URL.canParse(`http://[${text}]/`)

const urlAddress = (text: string): EndpointReading<UpstreamAddress> => {
  if (!/^https?:\/\/[^/?#]/i.test(text) || !URL.canParse(text))
    return { problem: "give http://HOST:PORT or https://HOST" }
  const url = new URL(text)
  if (url.username !== "" || url.password !== "")
    return { problem: "keys are sent by clients; leave out what is before the @" }
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    return { problem: `paths are asked for by clients; give ${url.protocol}//${url.host}` }
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
  const isTls = url.protocol === "https:"
  const port = url.port === "" ? (isTls ? 443 : 80) : Number(url.port)
  return { value: { kind: isTls ? "tls" : "tcp", host, port } }
}

/**
 * An address as it is read again: `unix:PATH`, `tcp:HOST:PORT`, `https://HOST:PORT`.
 *
 * @since 0.1.0
 * @category encoding
 */
export const endpointText = (address: UpstreamAddress): string => {
  if (address.kind === "unix") return `unix:${address.path}`
  const host = address.host.includes(":") ? `[${address.host}]` : address.host
  return `${address.kind === "tls" ? "https://" : "tcp:"}${host}:${address.port}`
}
