import { realpathSync } from "node:fs"
import { tmpdir } from "node:os"
import type { ParentProcess } from "../ports/parent-process.ts"

/**
 * This process as the parent of children; its variables are the live ones.
 *
 * @since 0.1.0
 * @category layers
 */
export const thisProcess = (): ParentProcess => ({
  platform: process.platform,
  variables: process.env,
  cwd: process.cwd()
})

/**
 * The folder that sandboxes are made in, without links. On macOS the one for temporary files has so long a name that no
 * socket could stand below it.
 *
 * @since 0.1.0
 * @category layers
 */
export const sandboxBaseFolder = (): string => {
  const folder = process.platform === "darwin" ? "/tmp" : tmpdir()
  try {
    return realpathSync(folder)
  } catch {
    // It is not there: whoever makes a sandbox in it says so.
    return folder
  }
}
