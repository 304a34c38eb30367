import { realpathSync, watch } from "node:fs"
import { basename, dirname, resolve } from "node:path"
import { liveClock } from "../live/clock.ts"

/** Editors write in several steps; what comes within this time is one change. */
export const settleMs = 50

/**
 * Calls `changed` after a file was written, replaced or removed. Directories are watched, not the file, because editors
 * replace it by another; of a symbolic link, also the directory of its target.
 *
 * **Takes** `lost`: told when the system gives up watching
 * **Fails** by throwing what the system says when watching cannot begin
 *
 * @since 0.1.0
 * @category services
 */
export const watchFile = (
  file: string,
  tell: { readonly changed: () => void; readonly lost: (reason: string) => void }
): (() => void) => {
  let disarm: (() => void) | null = null
  const settle = (): void => {
    disarm?.()
    disarm = liveClock.arm(settleMs, "scenario settled", () => {
      disarm = null
      tell.changed()
    })
  }
  const places = new Set([resolve(file), realpathSync(file)])
  const watchers: Array<ReturnType<typeof watch>> = []
  const stop = (): void => {
    disarm?.()
    disarm = null
    for (const watcher of watchers) watcher.close()
  }
  try {
    for (const place of places) {
      const watcher = watch(dirname(place), (_, name) => {
        if (name === null || name === basename(place)) settle()
      })
      watchers.push(watcher)
      watcher.on("error", (error) => {
        stop()
        tell.lost(error.message)
      })
    }
  } catch (error) {
    stop()
    throw error
  }
  return stop
}
