/**
 * What the fault server's dialect depends on besides the turn. `model` is the request's, or `mock-model`; ids end in
 * `laneAttempt`. The others count for chat streams alone: `includeUsage` is the request's `stream_options.include_usage`,
 * and with `usagePlacement: "auto"` it makes the usage trail.
 *
 * **Source** fault-server.md, sections 9.4.1 to 9.4.3
 *
 * @since 0.1.0
 * @category models
 */
export interface FaultTerms {
  readonly model: string
  readonly laneAttempt: number
  readonly chunkShape: "complete" | "minimal"
  readonly usagePlacement: "attached" | "trailing" | "both" | "none" | "auto"
  readonly includeUsage: boolean
}
