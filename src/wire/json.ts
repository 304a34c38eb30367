/**
 * A JSON object whose keys are written in insertion order.
 *
 * @since 0.1.0
 * @category models
 */
export interface JsonObject {
  readonly [key: string]: unknown
}
