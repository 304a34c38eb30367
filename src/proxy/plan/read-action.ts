import {
  openObject,
  orElse,
  orNull,
  type Read,
  readInteger,
  readList,
  readOneOf,
  refuse
} from "../../domain/field-readers.ts"
import { describe } from "../../domain/json.ts"
import type { ActionType, FaultAction } from "./fault-program.ts"
import { readBarrier } from "./read-barrier.ts"
import { ruleTable } from "./rule-table.ts"

const most = Number.MAX_SAFE_INTEGER

/** What timers take. */
export const delayMsMax = 2 ** 31 - 1
const copiesMax = 1_000
const chunkSizesMax = 10_000

const readMs = readInteger({ least: 0, most: delayMsMax })
const readCount = readInteger({ least: 0, most })
const readSize = readInteger({ least: 1, most })

const actionTypes = Object.keys(ruleTable)

/** The readers of the members that each action has; those without are given by their name alone, too. */
const readers: { readonly [Type in ActionType]: Read<Extract<FaultAction, { readonly type: Type }>> } = {
  drop: (value, at) => {
    openObject(value, at, ["type"])
    return { type: "drop" }
  },
  sever: (value, at) => {
    const field = openObject(value, at, ["type", "afterBytes"])
    return { type: "sever", afterBytes: field("afterBytes", orNull(readCount)) }
  },
  corrupt: (value, at) => {
    const field = openObject(value, at, ["type", "offset", "xor"])
    return {
      type: "corrupt",
      offset: field("offset", orNull(readInteger({ least: -most, most }))),
      xor: field("xor", orElse(readInteger({ least: 1, most: 255 }), 255))
    }
  },
  truncateBody: (value, at) => ({
    type: "truncateBody",
    keep: openObject(value, at, ["type", "keep"])("keep", readCount)
  }),
  badLength: (value, at) => ({
    type: "badLength",
    value: openObject(value, at, ["type", "value"])("value", readCount)
  }),
  reorder: (value, at) => ({
    type: "reorder",
    with: openObject(value, at, ["type", "with"])("with", orElse(readOneOf(["next"]), "next"))
  }),
  hold: (value, at) => ({
    type: "hold",
    barrier: openObject(value, at, ["type", "barrier"])("barrier", readBarrier)
  }),
  delay: (value, at) => ({ type: "delay", ms: openObject(value, at, ["type", "ms"])("ms", readMs) }),
  latency: (value, at) => {
    const field = openObject(value, at, ["type", "ms", "jitterMs"])
    return { type: "latency", ms: field("ms", readMs), jitterMs: field("jitterMs", orElse(readMs, 0)) }
  },
  duplicate: (value, at) => {
    const field = openObject(value, at, ["type", "copies"])
    return { type: "duplicate", copies: field("copies", orElse(readInteger({ least: 2, most: copiesMax }), 2)) }
  },
  inject: (value, at) => {
    const field = openObject(value, at, ["type", "bytes", "at"])
    return {
      type: "inject",
      bytes: field("bytes", readBytes),
      at: field("at", orElse(readOneOf(["before", "after"]), "after"))
    }
  },
  splitWrites: (value, at) => {
    const field = openObject(value, at, ["type", "chunkSizes"])
    return {
      type: "splitWrites",
      chunkSizes: field("chunkSizes", readList(readSize, { least: 1, most: chunkSizesMax }))
    }
  },
  throttle: (value, at) => ({
    type: "throttle",
    bytesPerSecond: openObject(value, at, ["type", "bytesPerSecond"])("bytesPerSecond", readSize)
  }),
  stall: (value, at) => {
    openObject(value, at, ["type"])
    return { type: "stall" }
  },
  halfClose: (value, at) => {
    openObject(value, at, ["type"])
    return { type: "halfClose" }
  },
  vanish: (value, at) => {
    openObject(value, at, ["type"])
    return { type: "vanish" }
  },
  reset: (value, at) => {
    openObject(value, at, ["type"])
    return { type: "reset" }
  }
}

const isActionType = (name: unknown): name is ActionType => typeof name === "string" && Object.hasOwn(ruleTable, name)

/** `{ type, ... }`, or the type alone. */
export const readAction: Read<FaultAction> = (value, at) => {
  const action = typeof value === "string" ? { type: value } : value
  const type = typeof action === "object" && action !== null && "type" in action ? action.type : undefined
  const place = typeof value === "string" ? at : `${at}.type`
  if (isActionType(type)) return readers[type](action, at)
  if (type === undefined) return refuse(at, `is ${describe(value)}; use an object with type, and what the type needs`)
  return refuse(place, readTypeProblem(type))
}

const readTypeProblem = (type: unknown): string => `is ${describe(type)}; use one of ${actionTypes.join(", ")}`

/** Any text but an empty one: what is injected may be blank, or hold a NUL. */
const readInjected: Read<string> = (value, at) =>
  typeof value === "string" && value !== "" ? value : refuse(at, `is ${describe(value)}; use a text`)

/** `{ text }`, `{ hex }`, or bytes from code. */
const readBytes: Read<Uint8Array> = (value, at) => {
  if (value instanceof Uint8Array) return value
  const field = openObject(value, at, ["text", "hex"])
  const text = field("text", orNull(readInjected))
  const hex = field("hex", orNull(readInjected))
  if ((text === null) === (hex === null)) return refuse(at, "needs `text` or `hex`, one of them")
  if (hex === null) return new TextEncoder().encode(text ?? "")
  if (!/^(?:[0-9a-fA-F]{2})+$/.test(hex)) return refuse(`${at}.hex`, `is ${describe(hex)}; use pairs of hex digits`)
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
