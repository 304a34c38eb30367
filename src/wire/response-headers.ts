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
  const { carried, profile, contentBytes, scripted } = options
  const fixed = defaults[profile][carried]
  const headers = contentBytes === null ? fixed : [...fixed, "content-length", String(contentBytes)]
  return scripted === undefined || scripted.length === 0 ? headers : replaced(headers, scripted)
}

const typeOf: Readonly<Record<WireProfile, Readonly<Record<Carried, ReadonlyArray<string>>>>> = {
  compact: {
    sse: ["content-type", "text/event-stream", "cache-control", "no-cache"],
    json: ["content-type", "application/json"],
    text: ["content-type", "text/plain; charset=utf-8"],
    bytes: ["content-type", "application/octet-stream"],
    empty: []
  },
  full: {
    sse: ["content-type", "text/event-stream; charset=utf-8", "cache-control", "no-cache"],
    json: ["content-type", "application/json"],
    text: ["content-type", "text/plain; charset=utf-8"],
    bytes: ["content-type", "application/octet-stream"],
    empty: []
  }
}

const withIds = (headers: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...headers,
  "x-request-id",
  requestIdValue,
  "request-id",
  requestIdValue
]

/** Made once: they are the same for every answer of a kind. */
const defaults: typeof typeOf = {
  compact: typeOf.compact,
  full: {
    sse: withIds(typeOf.full.sse),
    json: withIds(typeOf.full.json),
    text: withIds(typeOf.full.text),
    bytes: withIds(typeOf.full.bytes),
    empty: withIds(typeOf.full.empty)
  }
}

const replaced = (
  headers: ReadonlyArray<string>,
  scripted: ReadonlyArray<readonly [string, string]>
): ReadonlyArray<string> => {
  const merged = new Map<string, string>()
  for (let at = 0; at + 1 < headers.length; at += 2) merged.set(headers[at] ?? "", headers[at + 1] ?? "")
  for (const [name, value] of scripted) merged.set(name.toLowerCase(), value)
  // A body is framed in one way: a script that says how takes the length back.
  if (merged.has("transfer-encoding")) merged.delete("content-length")
  return [...merged].flat()
}
