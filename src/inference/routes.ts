import type { InferenceEndpoint, WireProfile } from "../domain/endpoint.ts"

/** The handlers that a route can lead to. */
export type RouteName =
  | InferenceEndpoint
  | "countTokens"
  | "models"
  | "model"
  | "settings"
  | "user"
  | "privacy"
  | "sessionData"
  | "session"
  | "storage"
  | "storageProbe"
  | "root"

/** What a handler reads of the request body. */
export type BodyKind = "json" | "bytes" | "nothing"

/** One row of the routing table: its handler, the methods that it takes, what it reads of a body. */
export interface RouteRow {
  readonly name: RouteName
  readonly methods: ReadonlyArray<string>
  readonly reads: BodyKind
}

/** A row, and what stood in the place of `{id}`. */
export interface FoundRoute {
  readonly row: RouteRow
  /** Percent-decoded; `null` when it does not decode to text; `undefined` where the route has none. */
  readonly id: string | null | undefined
}

const post = (name: RouteName, reads: BodyKind = "json"): RouteRow => ({ name, methods: ["POST"], reads })
const put = (name: RouteName): RouteRow => ({ name, methods: ["PUT"], reads: "json" })
const get = (name: RouteName): RouteRow => ({ name, methods: ["GET", "HEAD"], reads: "nothing" })

/** Paths without the `/v1` prefix, which may be left out in a request; every other path is exact. */
const versioned: ReadonlyArray<readonly [path: string, row: RouteRow]> = [
  ["/chat/completions", post("ChatCompletions")],
  ["/responses", post("Responses")],
  ["/messages", post("Messages")],
  ["/messages/count_tokens", post("countTokens")],
  ["/models", get("models")],
  ["/settings", get("settings")],
  ["/user", get("user")],
  ["/privacy/coding-data-retention", put("privacy")],
  ["/storage", post("storage", "bytes")],
  ["/storage/exists", get("storageProbe")],
  ["/storage/batch_exists", post("storageProbe", "nothing")],
  ["/storage/batch_upload_json", post("storageProbe", "nothing")],
  ["/storage/batch_upload", post("storageProbe", "nothing")],
  ["/storage/limits", get("storageProbe")]
]

const exact: ReadonlyMap<string, RouteRow> = new Map([
  ["/", get("root")],
  ...versioned.flatMap(
    ([path, row]): ReadonlyArray<readonly [string, RouteRow]> => [
      [`/v1${path}`, row],
      [path, row]
    ]
  )
])

/** Paths with one segment of the client's choice; the model route exists in profile full only. */
const patterns: ReadonlyArray<{ readonly path: RegExp; readonly row: RouteRow; readonly onlyFull: boolean }> = [
  { path: /^\/sessions\/([^/]+)\/data$/, row: post("sessionData"), onlyFull: false },
  { path: /^\/sessions\/([^/]+)$/, row: put("session"), onlyFull: false },
  { path: /^(?:\/v1)?\/models\/(.+)$/, row: get("model"), onlyFull: true }
]

/**
 * Finds the route of a path.
 *
 * **Takes** the path of the request target, without the query
 * **Gives** `undefined` when the server has no such path
 * **Source** inference-server.md, section 1; DESIGN, section 4
 *
 * @since 0.1.0
 * @category routing
 */
export const findRoute = (path: string, profile: WireProfile): FoundRoute | undefined => {
  const row = exact.get(path)
  if (row !== undefined) return { row, id: undefined }
  for (const pattern of patterns) {
    const segment = pattern.onlyFull && profile !== "full" ? undefined : pattern.path.exec(path)?.[1]
    if (segment !== undefined) return { row: pattern.row, id: decodeSegment(segment) }
  }
  return undefined
}

const decodeSegment = (segment: string): string | null => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}

/** Path and query of a request target; the absolute form that proxies send is understood. */
export const splitTarget = (target: string): { readonly path: string; readonly query: string } => {
  const local = /^https?:\/\/[^/?]*(.*)$/i.exec(target)?.[1] ?? target
  const mark = local.indexOf("?")
  const path = mark < 0 ? local : local.slice(0, mark)
  return { path: path === "" ? "/" : path, query: mark < 0 ? "" : local.slice(mark + 1) }
}
