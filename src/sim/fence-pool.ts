import { AsyncResource } from "node:async_hooks"
import nodeCrypto from "node:crypto"
import { types } from "node:util"
import zlib from "node:zlib"
import { type Gate, gateOf } from "./fence-gates.ts"
import type { Callable, Patches } from "./fence-patches.ts"
import { isCallable } from "./fence-patches.ts"
import { beginJob, tagFor } from "./fence-run.ts"

const open: Gate = () => {}

/**
 * Wraps the entries to the thread pool: a run stands still while a job is out, and hands results over one at a time in the
 * order in which the jobs were called, whichever thread was first.
 */
export const patchPool = (patches: Patches): void => {
  const subtle: unknown = Object.getPrototypeOf(globalThis.crypto.subtle)
  if (typeof subtle === "object" && subtle !== null) {
    for (const name of Object.getOwnPropertyNames(subtle)) {
      if (name === "constructor") continue
      patches.method(subtle, name, (original) => promisedJob(`crypto.subtle.${name}`, original))
    }
  }
  for (const name of cryptoJobs) {
    patches.method(nodeCrypto, name, (original) => callbackJob(`crypto.${name}`, original))
  }
  for (const name of keyJobs) {
    patches.method(nodeCrypto, name, (original) => callbackJob(`crypto.${name}`, original, gateOf("keys")))
  }
  const wasm: unknown = Reflect.get(globalThis, "WebAssembly")
  for (const name of wasmJobs) {
    if (typeof wasm !== "object" || wasm === null) break
    patches.method(wasm, name, (original) => promisedJob(`WebAssembly.${name}`, original))
  }
  patchZlib(patches)
}

const cryptoJobs = "pbkdf2 scrypt hkdf checkPrime sign verify".split(" ")
const keyJobs = ["generateKeyPair", "generatePrime"]
const wasmJobs = ["compile", "instantiate", "compileStreaming", "instantiateStreaming"]

/** A function that gives a promise. */
export const promisedJob = (what: string, original: Callable, gate: Gate = open): Callable =>
  function job(this: unknown, ...args) {
    const tag = tagFor(what)
    if (tag === null) return Reflect.apply(original, this, args)
    try {
      gate({ tag, what, callee: job, args })
    } catch (error) {
      return Promise.reject(error)
    }
    const work = Reflect.apply(original, this, args)
    // In a context of its own a promise of Node is none of its `Promise`.
    if (!types.isPromise(work)) return work
    const ended = beginJob(tag.run, what)
    return new Promise((resolve, reject) => {
      work.then(
        (value) => ended(() => resolve(value)),
        (error: unknown) => ended(() => reject(error))
      )
    })
  }

/** A function whose last argument is called back; without one it works at once and is left alone. */
export const callbackJob = (what: string, original: Callable, gate: Gate = open): Callable =>
  function job(this: unknown, ...args) {
    const callback = args.at(-1)
    const tag = isCallable(callback) ? tagFor(what) : null
    if (tag === null || !isCallable(callback)) return Reflect.apply(original, this, args)
    gate({ tag, what, callee: job, args })
    const scope = new AsyncResource("FencedJob")
    let ended: ((finish: () => void) => void) | null = null
    const answer = Reflect.apply(original, this, [
      ...args.slice(0, -1),
      (...results: ReadonlyArray<unknown>) =>
        ended?.(() => scope.runInAsyncScope(() => Reflect.apply(callback, undefined, results)))
    ])
    // Only now: bad arguments throw, and then no job has begun. No callback comes before this returns.
    ended = beginJob(tag.run, what)
    return answer
  }

/**
 * All of zlib, its streams and `CompressionStream` included, goes through one native handle with two methods: `init` takes
 * the function that is called after each asynchronous `write`.
 */
const patchZlib = (patches: Patches): void => {
  for (const name of ["createGzip", "createBrotliCompress", "createBrotliDecompress", ...zstd]) {
    const create: unknown = Reflect.get(zlib, name)
    const stream: unknown = isCallable(create) ? create() : undefined
    const handle: unknown = typeof stream === "object" && stream !== null ? Reflect.get(stream, "_handle") : undefined
    if (typeof handle !== "object" || handle === null || typeof stream !== "object" || stream === null) continue
    const prototype: unknown = Object.getPrototypeOf(handle)
    if (typeof prototype === "object" && prototype !== null) patchHandle(patches, prototype)
    const close: unknown = Reflect.get(stream, "close")
    if (isCallable(close)) Reflect.apply(close, stream, [])
  }
}

const zstd = ["createZstdCompress", "createZstdDecompress"]

const patchHandle = (patches: Patches, prototype: object): void => {
  const writes = new WeakMap<object, (finish: () => void) => void>()
  patches.method(
    prototype,
    "init",
    (original) =>
      function (this: unknown, ...args) {
        const wrapped = args.map((arg) => (isCallable(arg) ? handOver(arg, writes) : arg))
        return Reflect.apply(original, this, wrapped)
      }
  )
  patches.method(
    prototype,
    "write",
    (original) =>
      function (this: unknown, ...args) {
        const tag = tagFor("zlib")
        if (tag !== null && typeof this === "object" && this !== null) {
          const scope = new AsyncResource("FencedJob")
          const ended = beginJob(tag.run, "zlib")
          writes.set(this, (finish) => ended(() => scope.runInAsyncScope(finish)))
        }
        return Reflect.apply(original, this, args)
      }
  )
}

const handOver = (callback: Callable, writes: WeakMap<object, (finish: () => void) => void>): Callable =>
  function (this: unknown, ...results) {
    const finish = (): unknown => Reflect.apply(callback, this, results)
    const ended = typeof this === "object" && this !== null ? writes.get(this) : undefined
    if (ended === undefined || typeof this !== "object" || this === null) return finish()
    writes.delete(this)
    return ended(() => void finish())
  }
