import nodeChildProcess from "node:child_process"
import nodeDgram from "node:dgram"
import nodeDns from "node:dns"
import nodeNet from "node:net"
import nodeWorkerThreads from "node:worker_threads"
import { type Gate, gateOf, gateUnless, guarded } from "./fence-gates.ts"
import { type Callable, isCallable, type Patches } from "./fence-patches.ts"
import { type Allowance, tagFor } from "./fence-run.ts"

/** Wraps the ways out of the process but those to files. */
export const patchEscapes = (patches: Patches): void => {
  const guard = (target: object, names: ReadonlyArray<string>, kind: Allowance, prefix: string): void => {
    const gate = gateOf(kind)
    for (const name of names) patches.method(target, name, (original) => guarded(`${prefix}.${name}`, original, gate))
  }
  guard(nodeNet.Socket.prototype, ["connect"], "net", "net.Socket")
  guard(nodeNet.Server.prototype, ["listen"], "net", "net.Server")
  guard(nodeDgram.Socket.prototype, ["bind", "send", "connect"], "net", "dgram.Socket")
  for (const dns of [nodeDns, nodeDns.promises]) {
    const prefix = dns === nodeDns ? "dns" : "dns.promises"
    guard(dns, namesIn(dns, lookups), "dns", prefix)
    guard(dns.Resolver.prototype, namesIn(dns.Resolver.prototype, lookups), "dns", `${prefix}.Resolver`)
  }
  // The functions before the class: it takes hold of a real process when it is made, which is seen and has no name by then.
  guard(nodeChildProcess, ["spawn", "exec", "execFile", "fork"], "child_process", "child_process")
  guard(nodeChildProcess, ["spawnSync", "execSync", "execFileSync"], "child_process", "child_process")
  guard(nodeChildProcess.ChildProcess.prototype, ["spawn"], "child_process", "ChildProcess")
  patches.method(nodeWorkerThreads, "Worker", (original) => guardedClass("new Worker", original, gateOf("worker")))
  const gateOfWaits = gateUnless(isEndless, gateOf("timers"))
  patches.method(Atomics, "waitAsync", (original) => guarded("Atomics.waitAsync", original, gateOfWaits))
}

const lookups = /^(lookup|resolve|reverse)/

const namesIn = (target: object, pattern: RegExp): ReadonlyArray<string> =>
  Object.getOwnPropertyNames(target).filter((name) => pattern.test(name) && isCallable(Reflect.get(target, name)))

const guardedClass = (what: string, original: Callable, gate: Gate): Callable =>
  new Proxy(original, {
    construct(target, args, newTarget) {
      const tag = tagFor(what)
      if (tag !== null) gate({ tag, what, callee: original, args })
      return Reflect.construct(target, args, newTarget)
    }
  })

/** Without an end it waits for nobody's clock. */
const isEndless = ([, , , timeout]: ReadonlyArray<unknown>): boolean =>
  timeout === undefined || Number(timeout) === Number.POSITIVE_INFINITY
