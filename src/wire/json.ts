/**
 * A JSON object whose keys are written in insertion order.
 *
 * @since 0.1.0
 * @category models
 */
export interface JsonObject {
  readonly [key: string]: unknown
}

/**
 * Whether a parsed value is a JSON object, and not `null` or an array.
 *
 * @since 0.1.0
 * @category guards
 */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
