/** A piece of a raw body, sent `delayMs` after the one before. */
export interface BodyPiece {
  readonly bytes: string | Uint8Array
  readonly delayMs?: number
}
