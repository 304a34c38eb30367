/**
 * The three inference APIs that the server plays.
 *
 * **Source** inference-server.md, sections 0 and 3
 *
 * @since 0.1.0
 * @category models
 */
export const InferenceEndpoint = {
  ChatCompletions: "ChatCompletions",
  Responses: "Responses",
  Messages: "Messages"
} as const

/** @since 0.1.0 @category models */
export type InferenceEndpoint = (typeof InferenceEndpoint)[keyof typeof InferenceEndpoint]

/** All endpoints, in the order of the documents. */
export const inferenceEndpoints: ReadonlyArray<InferenceEndpoint> = ["ChatCompletions", "Responses", "Messages"]

/** The path under which queues, log and accessors know an endpoint, whatever spelling a request used. */
export const endpointPaths: Readonly<Record<InferenceEndpoint, string>> = {
  ChatCompletions: "/v1/chat/completions",
  Responses: "/v1/responses",
  Messages: "/v1/messages"
}

/**
 * How much envelope the built-in answers carry: `full` is faithful to the providers, `compact` is the byte-frozen
 * inherited form.
 *
 * **Source** wire-formats.md, section 0
 *
 * @since 0.1.0
 * @category models
 */
export type WireProfile = "compact" | "full"
