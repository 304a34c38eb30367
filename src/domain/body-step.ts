/**
 * One thing that happens in a body whose every byte and pause was said: a frame that counts as one event, bytes that
 * hold `events` events, or a pause. `isUnframed` bytes go to the connection past the framing of HTTP.
 *
 * @since 0.1.0
 * @category plans
 */
export type BodyStep =
  | { readonly kind: "event"; readonly frame: string }
  | {
      readonly kind: "bytes"
      readonly bytes: string | Uint8Array
      readonly events: number
      readonly isUnframed?: boolean
    }
  | { readonly kind: "wait"; readonly ms: number }
