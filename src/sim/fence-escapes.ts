import nodeChildProcess from "node:child_process"
import nodeDgram from "node:dgram"
import nodeDns from "node:dns"
import nodeFs from "node:fs"
import nodeNet from "node:net"
import nodeWorkerThreads from "node:worker_threads"
import { EscapedFence } from "./fence-errors.ts"
import type { Callable, Patches } from "./fence-patches.ts"
import { isCallable } from "./fence-patches.ts"
import { callbackJob, type Gate, promisedJob } from "./fence-pool.ts"
import { type Allowance, noteEscape, tagFor } from "./fence-run.ts"

/** Throws, and notes on the run, when it lacks the allowance. */
const gate =
  (allowance: Allowance, instead: string): Gate =>
  ({ run }, what) => {
    if (run.allow.has(allowance)) return
    throw noteEscape(run, new EscapedFence(what, `${instead}, or allow it by name: allow: ["${allowance}"]`))
  }

const gates = {
  net: gate("net", "give the client the simulated network"),
  dns: gate("dns", "give the client the simulated network"),
  fs: gate("fs", "read files before the run"),
  child_process: gate("child_process", "start processes before the run"),
  worker: gate("worker", "start workers before the run")
}

/**
 * Wraps the ways out of the process. Files that are allowed come back in call order; what is synchronous is left alone: it
 * cannot race.
 */
export const patchEscapes = (patches: Patches): void => {
  const guard = (target: object, names: ReadonlyArray<string>, kind: keyof typeof gates, prefix: string): void => {
    for (const name of names)
      patches.method(target, name, (original) => guarded(`${prefix}.${name}`, original, gates[kind]))
  }
  guard(nodeNet.Socket.prototype, ["connect"], "net", "net.Socket")
  guard(nodeNet.Server.prototype, ["listen"], "net", "net.Server")
  guard(nodeDgram.Socket.prototype, ["bind", "send", "connect"], "net", "dgram.Socket")
  guard(nodeDns, namesIn(nodeDns, /^(lookup|resolve|reverse)/), "dns", "dns")
  guard(nodeDns.promises, namesIn(nodeDns.promises, /^(lookup|resolve|reverse)/), "dns", "dns.promises")
  guard(nodeChildProcess.ChildProcess.prototype, ["spawn"], "child_process", "ChildProcess")
  guard(nodeChildProcess, ["spawnSync", "execSync", "execFileSync"], "child_process", "child_process")
  patches.method(nodeWorkerThreads, "Worker", (original) => guardedClass("new Worker", original, gates.worker))

  for (const name of namesIn(nodeFs, /./)) {
    if (!isCallable(Reflect.get(nodeFs, `${name}Sync`))) continue
    patches.method(nodeFs, name, (original) => callbackJob(`fs.${name}`, original, gates.fs))
  }
  // `watch` gives an iterator and stays as it is: it is no promise.
  for (const name of namesIn(nodeFs.promises, /^(?!watch)/)) {
    patches.method(nodeFs.promises, name, (original) => promisedJob(`fs.promises.${name}`, original, gates.fs))
  }
}

const namesIn = (target: object, pattern: RegExp): ReadonlyArray<string> =>
  Object.keys(target).filter((name) => pattern.test(name) && isCallable(Reflect.get(target, name)))

const guarded = (what: string, original: Callable, check: Gate): Callable =>
  function (this: unknown, ...args) {
    const tag = tagFor(what)
    if (tag !== null) check(tag, what)
    return Reflect.apply(original, this, args)
  }

const guardedClass = (what: string, original: Callable, check: Gate): Callable =>
  new Proxy(original, {
    construct(target, args, newTarget) {
      const tag = tagFor(what)
      if (tag !== null) check(tag, what)
      return Reflect.construct(target, args, newTarget)
    }
  })
