/** Bytes as plans write them: a text where all of them can be read, else hex. */
export type WrittenBytes = { readonly text: string } | { readonly hex: string }

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** @since 0.1.0 @category encoding */
export const writeBytes = (bytes: Uint8Array): WrittenBytes => {
  const text = decoded(bytes)
  return text === null ? { hex: hexOf(bytes) } : { text }
}

const decoded = (bytes: Uint8Array): string | null => {
  try {
    const text = utf8.decode(bytes)
    return /[^\P{Cc}\t\n\r]/u.test(text) ? null : text
  } catch {
    return null
  }
}

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
