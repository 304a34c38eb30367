import { rmSync } from "node:fs"

/**
 * Removes folders before it returns, for a process that is about to end. What cannot be removed stays.
 *
 * @since 0.1.0
 * @category files
 */
export const removeAtOnce = (folders: ReadonlyArray<string>): void => {
  for (const folder of folders) {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 2, retryDelay: 20 })
    } catch {
      // Nobody is there any more who could be told.
    }
  }
}
