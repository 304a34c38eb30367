import type { WireProfile } from "../domain/endpoint.ts"

/** What a response carries, as far as its headers are concerned. */
export type Carried = "sse" | "json" | "text" | "bytes" | "empty"

/** Request ids are constant, so that the same request gives the same bytes; a script may set its own. */
const requestIdValue = "req_mock"

/**
 * The headers of a response as the flat list that goes on the wire: defaults of the kind and the profile, then the
 * scripted ones, which replace a default of the same name (the last of equal names wins).
 *
 * **Takes** `contentBytes`: the length of the body, `null` when it is not known in advance or there is none to announce
 * **Source** inference-server.md, section 1.2; wire-formats.md, section 1.7
 *
 * @since 0.1.0
 * @category encoding
 */
export const responseHeaders = (options: {
  readonly carried: Carried
  readonly profile: WireProfile
  readonly contentBytes: number | null
  readonly scripted?: ReadonlyArray<readonly [string, string]>
}): ReadonlyArray<string> => {
  const { carried, profile, contentBytes, scripted = [] } = options
  const headers = new Map<string, string>()
  const type = contentType(carried, profile)
  if (type !== null) headers.set("content-type", type)
  if (carried === "sse") headers.set("cache-control", "no-cache")
  if (profile === "full") {
    headers.set("x-request-id", requestIdValue)
    headers.set("request-id", requestIdValue)
  }
  if (contentBytes !== null) headers.set("content-length", String(contentBytes))
  for (const [name, value] of scripted) headers.set(name.toLowerCase(), value)
  return [...headers].flat()
}

const contentType = (carried: Carried, profile: WireProfile): string | null => {
  switch (carried) {
    case "sse":
      return profile === "full" ? "text/event-stream; charset=utf-8" : "text/event-stream"
    case "json":
      return "application/json"
    case "text":
      return "text/plain; charset=utf-8"
    case "bytes":
      return "application/octet-stream"
    case "empty":
      return null
  }
}
