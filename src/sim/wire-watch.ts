import type { HttpMessage } from "./transport-messages.ts"

/**
 * Somebody who sees what arrives over simulated connections, as messages or as bytes; `channel` is the direction, such as
 * `ann>srv`. What arrives belongs to its reader, who may change it.
 *
 * @since 0.1.0
 * @category simulation
 */
export type WireWatch = (channel: string, payload: HttpMessage | Uint8Array) => void
