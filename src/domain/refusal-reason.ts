/** An error of JSON-RPC. */
export interface RefusalReason {
  readonly code: number
  readonly message: string
  readonly data: unknown
}
