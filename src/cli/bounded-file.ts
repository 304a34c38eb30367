import { closeSync, openSync, readSync } from "node:fs"

/**
 * At most so many bytes from the beginning of a file, device or pipe.
 *
 * **Fails** with what the system says
 *
 * @since 0.1.0
 * @category guards
 */
export const readUpTo = (file: string, bytesMax: number): Buffer => {
  const handle = openSync(file, "r")
  try {
    const chunks: Array<Buffer> = []
    let length = 0
    while (length < bytesMax) {
      const chunk = Buffer.alloc(Math.min(64 * 1024, bytesMax - length))
      const count = readSync(handle, chunk)
      if (count === 0) break
      chunks.push(chunk.subarray(0, count))
      length += count
    }
    return Buffer.concat(chunks)
  } finally {
    closeSync(handle)
  }
}
