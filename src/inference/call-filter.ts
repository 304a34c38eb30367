import type { SeenRequest } from "../domain/request-condition.ts"

/**
 * Which requests a test takes into its hand; every member that is there must fit.
 *
 * @since 0.1.0
 * @category calls
 */
export interface CallFilter extends Partial<Pick<SeenRequest, "endpoint" | "kind">> {
  readonly session?: string
  readonly turn?: number
  readonly where?: (request: SeenRequest) => boolean
}
