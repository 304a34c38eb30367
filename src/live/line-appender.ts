import { appendFileSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"

/**
 * Appends lines to a file that several processes write to; its folder is made with the first line. A line that cannot be written is lost.
 *
 * @since 0.1.0
 * @category layers
 */
export const lineAppender = (path: string): ((line: string) => void) => {
  let isMade = false
  return (line) => {
    try {
      if (!isMade) mkdirSync(dirname(path), { recursive: true })
      isMade = true
      appendFileSync(path, `${line}\n`)
    } catch {
      // Whoever removed the folder wants no lines.
    }
  }
}
