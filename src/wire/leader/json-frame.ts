import { encodeFrame } from "../frames/length-prefixed.ts"
import type { JsonObject } from "../json.ts"

/**
 * A message as leaders and their clients send it.
 *
 * **Fails** with `FrameTooLarge`
 * **Source** agent-harness.md, section 5.1
 *
 * @since 0.1.0
 * @category encoding
 */
export const jsonFrame = (message: JsonObject): Uint8Array => encodeFrame(encoder.encode(JSON.stringify(message)))

const encoder = new TextEncoder()
