import { InvalidOption } from "./errors.ts"
import { describe, jsonText } from "./json.ts"

/**
 * One entry of the model list: plain data, and builders that give an updated entry.
 *
 * **Source** inference-server.md, section 8
 *
 * @since 0.1.0
 * @category models
 */
export interface MockModelEntry {
  id: string
  agentType: string | null
  apiBackend: string | null
  supportsBackendSearch: boolean
  supportsReasoningEffort: boolean
  reasoningEffort: string | null
  reasoningEfforts: ReadonlyArray<unknown>
  /** Clients know `responses`, `chat_completions` and `messages`. */
  withApiBackend(backend: string): MockModelEntry
  withSupportsBackendSearch(supports: boolean): MockModelEntry
  withSupportsReasoningEffort(supports: boolean): MockModelEntry
  withReasoningEffort(effort: string): MockModelEntry
  /** Elements are passed through as they are: objects with a `value` key, or strings. */
  withReasoningEfforts(efforts: ReadonlyArray<unknown>): MockModelEntry
}

type Fields = Pick<
  MockModelEntry,
  | "id"
  | "agentType"
  | "apiBackend"
  | "supportsBackendSearch"
  | "supportsReasoningEffort"
  | "reasoningEffort"
  | "reasoningEfforts"
>

const entry = (fields: Fields): MockModelEntry => ({
  ...fields,
  withApiBackend(apiBackend) {
    return entry({ ...this, apiBackend })
  },
  withSupportsBackendSearch(supportsBackendSearch) {
    return entry({ ...this, supportsBackendSearch })
  },
  withSupportsReasoningEffort(supportsReasoningEffort) {
    return entry({ ...this, supportsReasoningEffort })
  },
  withReasoningEffort(reasoningEffort) {
    return entry({ ...this, reasoningEffort })
  },
  withReasoningEfforts(reasoningEfforts) {
    return entry({ ...this, reasoningEfforts })
  }
})

/** @since 0.1.0 @category constructors */
export const MockModelEntry = {
  new: (id: string): MockModelEntry => MockModelEntry.withAgentType(id, null),
  withAgentType: (id: string, agentType: string | null): MockModelEntry =>
    entry({
      id,
      agentType,
      apiBackend: null,
      supportsBackendSearch: false,
      supportsReasoningEffort: false,
      reasoningEffort: null,
      reasoningEfforts: []
    })
} as const

/**
 * A copy that later edits cannot reach. Fields that are not there have their defaults, so that plain objects do.
 *
 * **Fails** with `InvalidOption` when the id is no text or a value is not JSON
 *
 * @since 0.1.0
 * @category constructors
 */
export const copyModel = (model: Pick<Fields, "id"> & Partial<Fields>): MockModelEntry => {
  const id: unknown = model?.id
  if (typeof id !== "string" || id === "") {
    throw new InvalidOption(`the id of a model is ${describe(id)}; use a text, for example "test-model"`)
  }
  return entry({
    id: model.id,
    agentType: model.agentType ?? null,
    apiBackend: model.apiBackend ?? null,
    supportsBackendSearch: model.supportsBackendSearch ?? false,
    supportsReasoningEffort: model.supportsReasoningEffort ?? false,
    reasoningEffort: model.reasoningEffort ?? null,
    reasoningEfforts: copyEfforts(model.id, model.reasoningEfforts ?? [])
  })
}

const copyEfforts = (id: string, efforts: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  const text = jsonText(efforts)
  const copy: unknown = text === undefined ? undefined : JSON.parse(text)
  if (Array.isArray(copy)) return copy
  throw new InvalidOption(
    `the reasoning efforts of model \`${id}\` are ${describe(efforts)}; use a list of JSON values`
  )
}

/** When every mock model was created, in seconds since 1970. */
export const modelCreated = 1_234_567_890

/** The entry as the OpenAI list shows it; what is unset is left out, never `null` or `false`. */
export const modelJson = (model: Fields): Record<string, unknown> => ({
  id: model.id,
  object: "model",
  created: modelCreated,
  owned_by: "test",
  ...(model.agentType === null ? {} : { _meta: { agentType: model.agentType } }),
  ...(model.apiBackend === null ? {} : { apiBackend: model.apiBackend }),
  ...(model.supportsBackendSearch ? { supportsBackendSearch: true } : {}),
  ...(model.supportsReasoningEffort ? { supportsReasoningEffort: true } : {}),
  ...(model.reasoningEffort === null ? {} : { reasoningEffort: model.reasoningEffort }),
  ...(model.reasoningEfforts.length === 0 ? {} : { reasoningEfforts: model.reasoningEfforts })
})
