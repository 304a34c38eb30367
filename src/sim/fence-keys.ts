import nodeCrypto from "node:crypto"
import { hashedBytes } from "./fence-chance.ts"
import { gateOf, guarded } from "./fence-gates.ts"
import { type Callable, isCallable, type Patches } from "./fence-patches.ts"
import { promisedJob } from "./fence-pool.ts"
import { anyTag, type RunTag } from "./fence-run.ts"

/**
 * Keys that are nothing but random bytes become hashes, as ids do. Those that come of a search for primes or of a curve are
 * made by native code from the machine's own chance: a run has to be allowed them.
 */
export const patchKeys = (patches: Patches): void => {
  const subtle: unknown = Object.getPrototypeOf(globalThis.crypto.subtle)
  if (typeof subtle === "object" && subtle !== null) patches.method(subtle, "generateKey", generateWebKey)
  patches.method(nodeCrypto, "generateKeySync", generateSecret)
  patches.method(nodeCrypto, "generateKey", generateSecret)
  const guard = (target: object, names: ReadonlyArray<string>, prefix: string): void => {
    for (const name of names) patches.method(target, name, (original) => refused(`${prefix}.${name}`, original))
  }
  guard(nodeCrypto, ["generateKeyPairSync", "generatePrimeSync"], "crypto")
  guard(nodeCrypto.ECDH.prototype, ["generateKeys"], "ECDH")
  guard(nodeCrypto.DiffieHellman.prototype, ["generateKeys"], "DiffieHellman")
  guard(nodeCrypto.DiffieHellmanGroup.prototype, ["generateKeys"], "DiffieHellmanGroup")
}

const refused = (what: string, original: Callable): Callable => guarded(what, original, gateOf("keys"))

const secret = (tag: RunTag, bytes: number): Uint8Array => {
  const made = new Uint8Array(bytes)
  hashedBytes(tag, "key", made)
  return made
}

const generateWebKey = (original: Callable): Callable => {
  const native = promisedJob("crypto.subtle.generateKey", original, gateOf("keys"))
  return function (this: unknown, ...args) {
    const tag = anyTag()
    const [algorithm, isExtractable, usages] = args
    const bits = bitsOf(algorithm)
    const importKey: unknown = typeof this === "object" && this !== null ? Reflect.get(this, "importKey") : undefined
    if (tag === null || bits === null || !isCallable(importKey)) return Reflect.apply(native, this, args)
    return Reflect.apply(importKey, this, ["raw", secret(tag, Math.ceil(bits / 8)), algorithm, isExtractable, usages])
  }
}

/** The length of a symmetric key in bits; `null` for all others, and for what Node refuses with an error of its own. */
const bitsOf = (algorithm: unknown): number | null => {
  if (typeof algorithm !== "object" || algorithm === null) return null
  const name = String(Reflect.get(algorithm, "name")).toUpperCase()
  const length: unknown = Reflect.get(algorithm, "length")
  if (/^AES-(CTR|CBC|GCM|KW)$/.test(name)) return length === 128 || length === 192 || length === 256 ? length : null
  if (name !== "HMAC") return null
  if (typeof length === "number") return Number.isInteger(length) && length > 0 && length % 8 === 0 ? length : null
  return length === undefined ? (blockBits.get(nameOf(Reflect.get(algorithm, "hash"))) ?? null) : null
}

const nameOf = (hash: unknown): string =>
  String(typeof hash === "object" && hash !== null ? Reflect.get(hash, "name") : hash).toUpperCase()

/** As long as a block of its hash, where nobody says how long a key shall be. */
const blockBits = new Map([
  ["SHA-1", 512],
  ["SHA-256", 512],
  ["SHA-384", 1_024],
  ["SHA-512", 1_024]
])

/** Kept from before the fence. */
const { generateKeySync } = nodeCrypto

/** Node checks the arguments by doing it; then another key is made, of the same length. */
const generateSecret = (original: Callable): Callable =>
  function (this: unknown, ...args) {
    const tag = anyTag()
    const [type, options, callback] = args
    const length: unknown = typeof options === "object" && options !== null ? Reflect.get(options, "length") : undefined
    if (tag === null || (type !== "hmac" && type !== "aes") || typeof length !== "number") {
      return Reflect.apply(original, this, args)
    }
    Reflect.apply(generateKeySync, nodeCrypto, [type, options])
    const key = nodeCrypto.createSecretKey(secret(tag, Math.floor(length / 8)))
    if (!isCallable(callback)) return key
    process.nextTick(callback, null, key)
    return undefined
  }
