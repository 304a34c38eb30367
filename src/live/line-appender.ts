import { appendFileSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"

/**
 * Appends lines to a file that several processes write to; its folder is made with the first line.
 *
 * **Fails** with what the system says, in the function it gives
 *
 * @since 0.1.0
 * @category layers
 */
export const lineAppender = (path: string): ((line: string) => void) => {
  let isMade = false
  return (line) => {
    if (!isMade) mkdirSync(dirname(path), { recursive: true })
    isMade = true
    appendFileSync(path, `${line}\n`)
  }
}
