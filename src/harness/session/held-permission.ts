import type { PermissionAnswer, PermissionRequest } from "./permission-policy.ts"

/** A request for permission, and what it was answered. */
export interface PermissionRecord {
  readonly request: PermissionRequest
  /** `null` while it was not answered. */
  readonly answer: PermissionAnswer | null
}

/** A request for permission that waits for the test. */
export interface HeldPermission {
  readonly request: PermissionRequest
  /** Answers it; false when it was answered, taken back or dropped before. */
  answer(answer: PermissionAnswer): boolean
}
