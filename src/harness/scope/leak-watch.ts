import { ResourceLeak } from "../../domain/harness-scope-errors.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { FilePort } from "../../ports/file-port.ts"

/**
 * Knows what was opened through it and not closed: timers, sandbox roots, listeners.
 *
 * **Source** agent-harness.md, section 7.6
 *
 * @since 0.1.0
 * @category services
 */
export interface LeakWatch {
  /** A clock whose timers are known. */
  clock(clock: Clock): Clock
  /** Files of which the fresh folders are known. */
  files(files: FilePort): FilePort
  /** Something listens. The function it gives says that it does no more. */
  listening(name: string): () => void
  /** A fresh folder that is to stay. */
  keep(root: string): void
  /** Fresh folders that are there and are not to stay. */
  folders(): ReadonlyArray<string>
  /** What is open, one line each, as an error if there is anything. */
  leak(options?: LeakOptions): ReadonlyArray<ResourceLeak>
}

/** What else is known. */
export interface LeakOptions {
  /** No fresh folder counts. */
  readonly foldersStay?: boolean
  /** Sockets of leaders that are open. */
  readonly listeners?: number
  readonly connections?: number
}

/** @since 0.1.0 @category constructors */
export const makeLeakWatch = (): LeakWatch => {
  const timers = new Map<object, string>()
  const roots = new Set<string>()
  const listeners = new Map<object, string>()
  const open = (folders: Iterable<string>): ReadonlyArray<string> => [
    ...[...listeners.values()].map((name) => `listener ${name}`),
    ...counted([...timers.values()]).map(
      ([label, count]) => `timer "${label}"${count === 1 ? "" : `, ${count} times`}`
    ),
    ...[...folders].map((root) => `sandbox folder ${root}`)
  ]
  return {
    clock: (clock) => ({
      ...clock,
      arm(ms, label, fire) {
        const timer = {}
        timers.set(timer, label)
        const forget = clock.arm(ms, label, () => {
          timers.delete(timer)
          fire()
        })
        return () => {
          timers.delete(timer)
          forget()
        }
      }
    }),
    files: (files) => ({
      ...files,
      async makeFreshFolder(parent, prefix) {
        const root = await files.makeFreshFolder(parent, prefix)
        roots.add(root)
        return root
      },
      async remove(path) {
        await files.remove(path)
        roots.delete(path)
      }
    }),
    listening(name) {
      const listener = {}
      listeners.set(listener, name)
      return () => void listeners.delete(listener)
    },
    keep: (root) => void roots.delete(root),
    folders: () => [...roots],
    leak({ foldersStay = false, listeners: sockets = 0, connections = 0 } = {}) {
      const items = [
        ...open(foldersStay ? [] : roots),
        ...(sockets === 0 ? [] : [`${sockets} sockets that listen`]),
        ...(connections === 0 ? [] : [`${connections} ends of connections`])
      ]
      return items.length === 0 ? [] : [new ResourceLeak(items)]
    }
  }
}

const counted = (labels: ReadonlyArray<string>): ReadonlyArray<readonly [string, number]> => {
  const counts = new Map<string, number>()
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1)
  return [...counts]
}
