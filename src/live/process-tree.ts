import { existsSync, readdirSync, readFileSync } from "node:fs"
import { processStat } from "./proc-files.ts"
import {
  type ResourceSnapshot,
  type Resources,
  type RssSampler,
  resourcesOf,
  rssOf,
  sampleRss,
  snapshotOf
} from "./resource-snapshot.ts"

/**
 * What a process and its descendants hold together now, as of an agent: `treeSnapshot(agent.pid())`. Memory that they share counts for
 * each of them. Those whose parent has ended are nobody's descendants any more.
 *
 * **Takes** a process id; `undefined`, that of a process that has ended, holds nothing that could be seen
 * **Fails** never: what cannot be seen is `undefined`, and outside Linux that is all
 * **Source** agent-harness.md, section 10.11
 *
 * @since 0.1.0
 * @category resources
 */
export const treeSnapshot = (pid: number | undefined): ResourceSnapshot => {
  const parts = pid === undefined ? [] : treeOf(pid).map(resourcesOf)
  return snapshotOf({ rss: sum(parts, "rss"), threads: sum(parts, "threads"), openFiles: sum(parts, "openFiles") })
}

/**
 * Starts to watch the memory of a process and its descendants, every 3 ms. Keeps no process alive.
 *
 * **Gives** a sampler whose report is within no budget when the process could not be seen
 * **Source** agent-harness.md, section 10.11
 *
 * @since 0.1.0
 * @category resources
 */
export const startTreeSampler = (pid: number | undefined): RssSampler =>
  sampleRss(() => (pid === undefined ? undefined : added(treeOf(pid).map(rssOf))))

/** The process and its descendants that are there now. */
const treeOf = (root: number): ReadonlyArray<number> => descendants(root, childLists)

/** A process, and those that a way to look for children finds. */
export const descendants = (
  root: number,
  childrenOf: (pid: number) => ReadonlyArray<number> | null
): ReadonlyArray<number> => {
  const found = [root]
  for (const pid of found) found.push(...(childrenOf(pid) ?? childrenByParent(pid)))
  return found
}

/** Each thread has a list of the children that it started; `null` where the kernel keeps none. */
export const childLists = (pid: number): ReadonlyArray<number> | null => {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ").filter(Boolean).map(Number)
    )
  } catch {
    return existsSync(`/proc/${process.pid}/task/${process.pid}/children`) ? [] : null
  }
}

/** By a look at all processes of the machine. */
export const childrenByParent = (parent: number): ReadonlyArray<number> => {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => processStat(pid)?.parent === parent)
  } catch {
    return []
  }
}

const sum = (parts: ReadonlyArray<Resources>, what: keyof Resources): number | undefined =>
  added(parts.map((part) => part[what]))

/** Of those that ended in the meantime nothing is known; of the others all is. */
const added = (values: ReadonlyArray<number | undefined>): number | undefined => {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0)
}
