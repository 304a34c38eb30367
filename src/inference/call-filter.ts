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
  /**
   * Which try of its call the request is, from 1. Asking for one makes the whole server count attempts from then on, as
   * `expectAttempts` does.
   */
  readonly attempt?: number
  /**
   * Answers true or false at once; anything else, a promise too, ends the wait with `InvalidOption`. What it throws counts as
   * no, and stands in what the wait and `verify()` say when no request came.
   */
  readonly where?: (request: SeenRequest) => boolean
  /**
   * No filter but a way back: when it is aborted nothing is waited for any more, the wait rejects with its reason, and what a
   * `gather` had in its hand goes on as if nobody had held it.
   */
  readonly signal?: AbortSignal
}
