import { createHash } from "node:crypto"

/**
 * SHA-256 of a text in UTF-8, as 64 lower-case hex digits.
 *
 * @since 0.1.0
 * @category fingerprints
 */
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")
