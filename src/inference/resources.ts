import { member } from "../domain/json.ts"
import { type MockModelEntry, modelCreated, modelJson } from "../domain/model-entry.ts"
import { firstHeader, isPlainText, type RequestHead } from "../domain/request.ts"
import { ScriptedResponse } from "../domain/scripted-response.ts"
import { apiError, suggestedApi } from "./refusals.ts"
import type { ServerState } from "./server-state.ts"

/**
 * The model list: in profile full the Anthropic keys stand beside the OpenAI ones, and a query with `limit`, `after_id`
 * or `before_id` gives a page.
 *
 * **Source** inference-server.md, section 8; wire-formats.md, section 8.6
 *
 * @since 0.1.0
 * @category resources
 */
export const modelList = (state: ServerState, query: string): ScriptedResponse => {
  if (state.profile === "compact") {
    return ScriptedResponse.json(200, { object: "list", data: state.models.map(modelJson) })
  }
  const { models, hasMore } = pageOf(state.models, new URLSearchParams(query))
  return ScriptedResponse.json(200, {
    object: "list",
    data: models.map(mergedModel),
    has_more: hasMore,
    first_id: models.at(0)?.id ?? null,
    last_id: models.at(-1)?.id ?? null
  })
}

const pageOf = (
  models: ReadonlyArray<MockModelEntry>,
  query: URLSearchParams
): { readonly models: ReadonlyArray<MockModelEntry>; readonly hasMore: boolean } => {
  const indexOf = (name: string): number => models.findIndex((model) => model.id === query.get(name))
  const from = query.has("after_id") ? indexOf("after_id") + 1 : 0
  const before = query.has("before_id") ? indexOf("before_id") : -1
  const rest = models.slice(from, before < 0 ? undefined : before)
  const limit = Number(query.get("limit") ?? Number.NaN)
  if (!Number.isInteger(limit) || limit < 1) return { models: rest, hasMore: false }
  const page = before < 0 ? rest.slice(0, limit) : rest.slice(-limit)
  return { models: page, hasMore: rest.length > page.length }
}

const mergedModel = (model: MockModelEntry): Record<string, unknown> => ({
  ...modelJson(model),
  type: "model",
  display_name: model.id,
  created_at: new Date(modelCreated * 1_000).toISOString().replace(".000Z", "Z")
})

/** One model by its id, in profile full. */
export const oneModel = (state: ServerState, head: RequestHead, id: string): ScriptedResponse => {
  const model = state.models.find((entry) => entry.id === id)
  if (model !== undefined) return ScriptedResponse.json(200, mergedModel(model))
  const known = state.models.map((entry) => `\`${entry.id}\``).join(", ") || "none"
  return apiError(suggestedApi(head, ""), 404, `no model \`${id}\`; the server has ${known}`)
}

/** The settings, or an empty 404 while they were never set. */
export const settingsValue = (state: ServerState): ScriptedResponse =>
  state.settings === null ? ScriptedResponse.empty(404) : ScriptedResponse.json(200, state.settings.value)

/** The mock user, with a subscription tier if one is set. */
export const userValue = (state: ServerState): ScriptedResponse =>
  ScriptedResponse.json(200, {
    userId: "mock-user",
    email: "mock-user@test.invalid",
    ...(state.tier === null ? {} : { subscriptionTier: state.tier })
  })

/** Echoes the wanted value, whatever its type. */
export const privacyValue = (body: unknown): ScriptedResponse =>
  ScriptedResponse.json(200, {
    codingDataRetentionOptOut: member(body, "codingDataRetentionOptOut") ?? optOutDefault(body)
  })

/** `null` is a value and is echoed; only an absent member is `false`. */
const optOutDefault = (body: unknown): false | null =>
  member(body, "codingDataRetentionOptOut") === null ? null : false

/** One token for every four bytes of the body, rounded up. */
export const countedTokens = (bodyBytes: number): ScriptedResponse =>
  ScriptedResponse.json(200, { input_tokens: Math.ceil(bodyBytes / 4) })

const storedBytesMax = 262_144

/** So many uploads are kept, and so many bytes of them: the newest. */
export const uploadsMax = 1_024
/** All kept uploads together hold at most this many bytes: 64 MiB. */
export const uploadBytesMax = 64 * 1024 * 1024

/** Counts the attempt, and keeps the upload unless storage is switched to unauthorized. */
export const storeUpload = (state: ServerState, head: RequestHead, body: Uint8Array): ScriptedResponse => {
  state.storageRequests++
  if (state.isStorageUnauthorized) {
    return ScriptedResponse.text(401, '{"error":"Invalid or expired credentials (mock)"}')
  }
  const named = firstHeader(head.headers, "x-storage-path") ?? ""
  const path = isPlainText(named) ? named : ""
  state.uploads.push({
    path,
    size: body.byteLength,
    body: body.byteLength <= storedBytesMax ? new Uint8Array(body) : new Uint8Array(),
    authorization: firstHeader(head.headers, "authorization")
  })
  dropOldUploads(state)
  return ScriptedResponse.json(200, {
    bucket: "mock-bucket",
    path,
    size: body.byteLength,
    content_type: "application/octet-stream",
    generation: 1
  })
}

const dropOldUploads = (state: ServerState): void => {
  const { uploads } = state
  const newest = uploads.at(-1)
  if (newest === undefined) return
  state.uploadBytes += newest.body.byteLength
  while (uploads.length > uploadsMax || state.uploadBytes > uploadBytesMax) {
    state.uploadBytes -= uploads.shift()?.body.byteLength ?? 0
  }
}
