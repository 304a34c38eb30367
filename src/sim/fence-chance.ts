import nodeCrypto from "node:crypto"
import { types } from "node:util"
import { derive, fmix } from "../kernel/derive-seed.ts"
import type { Callable, Patches } from "./fence-patches.ts"
import { isCallable } from "./fence-patches.ts"
import { anyTag, mainActor, nextOrdinal, type RunTag, tagFor } from "./fence-run.ts"
import { runEpochMs } from "./kernel-clock.ts"

/** `Math.random` draws one of so many sixteenths. */
const sixteenths = 16

/** Replaces `Math.random` by draws, and ids and random bytes by hashes that never repeat within a run. */
export const patchChance = (patches: Patches): void => {
  patches.method(
    Math,
    "random",
    (original) =>
      function (this: unknown, ...args) {
        const tag = tagFor("Math.random")
        return tag === null ? Reflect.apply(original, this, args) : drawRandom(tag)
      }
  )
  const webcrypto: unknown = Object.getPrototypeOf(globalThis.crypto)
  if (typeof webcrypto === "object" && webcrypto !== null) {
    patches.method(webcrypto, "randomUUID", uuids)
    patches.method(webcrypto, "getRandomValues", (original) => fillers(original, { isWeb: true }))
  }
  patches.method(nodeCrypto, "randomUUID", uuids)
  // Newer than the oldest Node that there is a fence for.
  patches.method(nodeCrypto, "randomUUIDv7", datedUuids)
  patches.method(nodeCrypto, "randomFillSync", (original) => fillers(original, { isWeb: false }))
  patches.method(nodeCrypto, "randomFill", randomFill)
  // Three of them are older names.
  for (const name of ["randomBytes", "pseudoRandomBytes", "prng", "rng"]) patches.method(nodeCrypto, name, randomBytes)
  patches.method(nodeCrypto, "randomInt", randomInt)
}

/** (k + f)/16: k is the draw, f a hash of run, actor and running number; so even the calm run has no two equal answers. */
const drawRandom = (tag: RunTag): number => {
  const fork = forkOf(tag, "random")
  const ordinal = nextOrdinal(tag.run, fork)
  const k = tag.run.kernel.choice.draw(sixteenths, `${fork}/${ordinal}`)
  return (k + word(tag, fork, ordinal) / 2 ** 32) / sixteenths
}

const forkOf = ({ actor }: RunTag, what: string): string => (actor === mainActor ? what : `${what}/${actor}`)

/** For one seed and label another word for each ordinal, up to 2^32 of them. */
const word = ({ run }: RunTag, label: string, ordinal: number): number =>
  fmix((derive(run.seed, label) + ordinal) >>> 0)

/** Fills `bytes`: the first four differ from those of every other call with this label; the rest follows from them. */
export const hashedBytes = (tag: RunTag, what: string, bytes: Uint8Array): void => {
  const label = forkOf(tag, what)
  const ordinal = nextOrdinal(tag.run, label)
  let state = word(tag, label, ordinal)
  const salt = derive(tag.run.seed, `${label}/more`)
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = (state >>> (24 - 8 * (at % 4))) & 255
    if (at % 4 === 3) state = fmix((state + salt + at) >>> 0)
  }
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex")

const uuids = (original: Callable): Callable =>
  function (this: unknown, ...args) {
    const tag = anyTag()
    return tag === null ? Reflect.apply(original, this, args) : uuidOf(hashedUuid(tag), 4)
  }

/** Those that begin with the date. */
const datedUuids = (original: Callable): Callable =>
  function (this: unknown, ...args) {
    const tag = anyTag()
    if (tag === null) return Reflect.apply(original, this, args)
    const bytes = hashedUuid(tag)
    // Where the date stands; what never repeats within a run comes behind it.
    bytes.copyWithin(9, 0, 4)
    Buffer.from(bytes.buffer, bytes.byteOffset, 6).writeUIntBE(runEpochMs + Math.floor(tag.run.kernel.now()), 0, 6)
    return uuidOf(bytes, 7)
  }

const hashedUuid = (tag: RunTag): Uint8Array => {
  const bytes = new Uint8Array(16)
  hashedBytes(tag, "uuid", bytes)
  return bytes
}

const uuidOf = (bytes: Uint8Array, version: number): string => {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4)
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = hexOf(bytes)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
}

/** Node checks the arguments by doing it; then the bytes are overwritten. */
const fillers = (original: Callable, { isWeb }: { readonly isWeb: boolean }): Callable =>
  function (this: unknown, ...args) {
    const filled = Reflect.apply(original, this, args)
    const tag = anyTag()
    if (tag !== null) hashedBytes(tag, "bytes", isWeb ? viewOf(args[0]) : partOf(args))
    return filled
  }

const viewOf = (view: unknown): Uint8Array => {
  if (ArrayBuffer.isView(view)) return new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
  if (types.isAnyArrayBuffer(view)) return new Uint8Array(view)
  return new Uint8Array(0)
}

/** Offset and size count in elements of the view. */
const partOf = ([view, offset, size]: ReadonlyArray<unknown>): Uint8Array => {
  const bytes = viewOf(view)
  const unit = ArrayBuffer.isView(view) && "BYTES_PER_ELEMENT" in view ? Number(view.BYTES_PER_ELEMENT) : 1
  const start = typeof offset === "number" ? offset * unit : 0
  return bytes.subarray(start, typeof size === "number" ? start + size * unit : bytes.length)
}

/** A callback is called after the code that is running, as Node's would be. */
const randomFill = (original: Callable): Callable =>
  function (this: unknown, ...args) {
    const callback = args.at(-1)
    if (anyTag() === null || !isCallable(callback)) return Reflect.apply(original, this, args)
    const filled: unknown = Reflect.apply(nodeCrypto.randomFillSync, nodeCrypto, args.slice(0, -1))
    process.nextTick(callback, null, filled)
    return undefined
  }

const randomBytes = (original: Callable): Callable =>
  function (this: unknown, ...args) {
    const [size, callback] = args
    const tag = anyTag()
    const isSize = typeof size === "number" && Number.isInteger(size) && size >= 0 && size < 2 ** 31
    if (tag === null || !isSize) return Reflect.apply(original, this, args)
    const bytes = Buffer.alloc(size)
    hashedBytes(tag, "bytes", bytes)
    if (!isCallable(callback)) return bytes
    process.nextTick(callback, null, bytes)
    return undefined
  }

const randomInt = (original: Callable): Callable =>
  function (this: unknown, ...args) {
    const tag = anyTag()
    const numbers = args.filter((arg) => typeof arg === "number")
    const [min, max] = numbers.length > 1 ? numbers : [0, numbers[0]]
    const isRange = Number.isSafeInteger(min) && Number.isSafeInteger(max)
    if (tag === null || !isRange || min === undefined || max === undefined || max <= min) {
      return Reflect.apply(original, this, args)
    }
    const bytes = Buffer.alloc(6)
    hashedBytes(tag, "int", bytes)
    const value = min + (bytes.readUIntBE(0, 6) % (max - min))
    const callback = args.at(-1)
    if (!isCallable(callback)) return value
    process.nextTick(callback, null, value)
    return undefined
  }
