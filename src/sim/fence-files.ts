import nodeFs from "node:fs"
import { type Gate, gateOfFiles, gateUnless, guarded } from "./fence-gates.ts"
import { isCallable, type Patches } from "./fence-patches.ts"
import { callbackJob, promisedJob } from "./fence-pool.ts"

/**
 * Wraps the ways to files. What is allowed comes back in call order. What is read at once is left alone: it cannot race, and
 * `require` needs it; what is written at once leaves the run all the same, and has to be allowed.
 */
export const patchFiles = (patches: Patches): void => {
  for (const name of namesIn(nodeFs)) {
    const what = `fs.${name}`
    const gate = gateOfName(name)
    if (name.endsWith("Sync")) {
      if (changing.test(name)) patches.method(nodeFs, name, (original) => guarded(what, original, gate))
    } else if (isCallable(Reflect.get(nodeFs, `${name}Sync`))) {
      patches.method(nodeFs, name, (original) => callbackJob(what, original, gate))
    } else if (watchers.has(name)) {
      patches.method(nodeFs, name, (original) => guarded(what, original, gate))
    }
  }
  for (const name of namesIn(nodeFs.promises)) {
    const what = `fs.promises.${name}`
    patches.method(nodeFs.promises, name, (original) =>
      iterators.has(name) ? guarded(what, original, gateOfFiles) : promisedJob(what, original, gateOfFiles)
    )
  }
}

const namesIn = (target: object): ReadonlyArray<string> =>
  Object.keys(target).filter((name) => isCallable(Reflect.get(target, name)))

const watchers = new Set(["watch", "watchFile", "openAsBlob"])

/** They give no promise, so what they refuse they throw. */
const iterators = new Set(["watch", "glob"])

const changing =
  /^(append|chmod|chown|copy|cp|fchmod|fchown|ftruncate|futimes|lchmod|lchown|link|lutimes|mkdir|mkdtemp|open|rename|rm|symlink|truncate|unlink|utimes|write)/

const gateOfName = (name: string): Gate => {
  if (name === "openSync") return gateUnless(([, flags]) => !isForWriting(flags), gateOfFiles)
  // Standard output and standard error stay open to a run: what is printed there it never sees again.
  return /^(write|append)/.test(name) ? gateUnless(([file]) => file === 1 || file === 2, gateOfFiles) : gateOfFiles
}

const { O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND } = nodeFs.constants

const isForWriting = (flags: unknown): boolean =>
  typeof flags === "number"
    ? (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)) !== 0
    : typeof flags === "string" && /[wa+]/.test(flags)
