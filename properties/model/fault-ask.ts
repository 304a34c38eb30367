import type { FaultName } from "../../src/domain/fault-names.ts"
import type { ResetMode } from "../../src/domain/fault-options.ts"
import type { Header } from "../../src/domain/request.ts"
import type { FaultFormat } from "../../src/faults/catalogue/voice.ts"
import type { VirtualRequest } from "../../src/sim/virtual-http.ts"

export type RouteName = keyof typeof routes
export type BodyName = keyof typeof bodies

/** A request as its parts, of which several may be wrong at once. */
export interface FaultAsk {
  readonly method: "POST" | "GET" | "HEAD" | "OPTIONS" | "post"
  readonly route: RouteName
  readonly key: "none" | "right" | "wrong" | "lowerCase" | "inMessages"
  readonly body: BodyName
  readonly isLarge: boolean
  readonly pathLane: string | null
  readonly headerLane: string | null
  readonly isTurn: boolean
  /** The fault that it asks for itself; `"none such"` is no fault. */
  readonly fault: FaultName | "none such" | null
  readonly faultMode: ResetMode | null
  /** Its body arrives later, by a step of its own. */
  readonly isSlow: boolean
  readonly isOnKept: boolean
  readonly windowBytes: number | null
}

interface RouteRow {
  readonly origin?: string
  readonly path: string
  readonly behind?: string
  readonly format: FaultFormat | null
  /** The path that is recorded, where it is another. */
  readonly recorded?: string
}

/** Request targets, and what they lead to. */
export const routes = {
  chat: { path: "/v1/chat/completions", format: "chat" },
  bareChat: { path: "/chat/completions", behind: "?x=1", format: "chat" },
  dottedChat: { path: "/a/../v1/chat/completions", behind: "#f", format: "chat", recorded: "/v1/chat/completions" },
  absoluteChat: { origin: "http://elsewhere:1", path: "/v1/chat/completions", format: "chat" },
  responses: { path: "/v1/responses", format: "responses" },
  messages: { path: "/any/prefix/messages", format: "messages" },
  slashed: { path: "/v1/chat/completions/", format: null },
  prefixed: { path: "/v1/xchat/completions", format: null },
  encoded: { path: "/v1/chat%2Fcompletions", format: null },
  unreadable: { path: "//", format: null },
  models: { path: "/v1/models", format: null }
} as const satisfies Readonly<Record<string, RouteRow>>

interface BodyRow {
  readonly text: string
  /** What stands in it, in one spelling; `undefined` for what is no JSON. */
  readonly same?: string
  readonly isStream?: boolean
  readonly model?: string
  readonly includesUsage?: boolean
}

/** Bodies, and what a server has to make of them. */
export const bodies = {
  stream: { text: '{"model":"m","messages":[],"stream":true}', same: "stream", isStream: true, model: "m" },
  spelled: { text: '{ "stream" : true, "messages":[ ], "model":"m" }', same: "stream", isStream: true, model: "m" },
  usage: {
    text: '{"model":"m","stream":true,"stream_options":{"include_usage":true}}',
    same: "usage",
    isStream: true,
    model: "m",
    includesUsage: true
  },
  reply: { text: '{"model":"m","stream":false}', same: "reply", isStream: false, model: "m" },
  silent: { text: '{"model":"né"}', same: "silent", model: "né" },
  empty: { text: "", same: "null" },
  null: { text: "null", same: "null" },
  list: { text: "[1]", same: "list" },
  broken: { text: "{" },
  blank: { text: " " },
  marked: { text: "\ufeff{}" }
} as const satisfies Readonly<Record<string, BodyRow>>

const routeOf = (name: RouteName): RouteRow => routes[name]

export const bodyOf = (name: BodyName): BodyRow => bodies[name]

export const formatOfAsk = ({ route }: FaultAsk): FaultFormat | null => routeOf(route).format

/** The path that a record shows. */
export const recordedPath = ({ route, pathLane }: FaultAsk): string => {
  const { path, recorded = path } = routeOf(route)
  return `${lanePrefix(pathLane)}${recorded}`
}

const lanePrefix = (lane: string | null): string => (lane === null ? "" : `/lanes/${encodeURIComponent(lane)}`)

/** The only key that opens a server with one. */
export const apiKey = "k"

/** Bodies with more bytes are too large for a server with a limit; only large ones have more. */
export const bodyBytesLimit = 120

const keyHeaders: Readonly<Record<FaultAsk["key"], ReadonlyArray<Header>>> = {
  none: [],
  right: [["Authorization", `Bearer ${apiKey}`]],
  wrong: [["Authorization", "Bearer K"]],
  lowerCase: [["Authorization", `bearer ${apiKey}`]],
  inMessages: [["X-Api-Key", apiKey]]
}

/** The request as a client sends it. */
export const requestOf = (ask: FaultAsk): VirtualRequest => {
  const { origin = "", path, behind = "" } = routeOf(ask.route)
  const { text } = bodyOf(ask.body)
  return {
    method: ask.method,
    target: `${origin}${lanePrefix(ask.pathLane)}${path}${behind}`,
    headers: [
      ...keyHeaders[ask.key],
      ...(ask.headerLane === null ? [] : [["X-Lane", ask.headerLane] as const]),
      ...(ask.isTurn ? [["x-grok-turn-idx", "1"] as const] : []),
      ...(ask.fault === null ? [] : [["x-understudy-fault", askedWord(ask)] as const])
    ],
    body: ask.isLarge ? `${text}${" ".repeat(bodyBytesLimit + 1)}` : text
  }
}

const askedWord = ({ fault, faultMode }: FaultAsk): string => `${fault}${faultMode === null ? "" : `:${faultMode}`}`
