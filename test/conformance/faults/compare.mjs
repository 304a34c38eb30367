// @ts-check
import { describeError } from "./describe-error.mjs"
import { wholeText } from "./document-table.mjs"

/**
 * The classes of behaviour that a cell of the document can mean.
 *
 * @typedef {"retried" | "ok" | "text cut" | "fail" | "silent"} Kind
 */

/** Node's timers may be early by a millisecond. */
const earlyMs = 2

/**
 * What a cell of the document says: the class, the number of requests where it names one, and words of the error.
 *
 * @param {string} says
 * @returns {{ readonly kind: Kind, readonly requests: number | null, readonly words: string }}
 */
export function readCell(says) {
  const requests = /^(\d+) req/.exec(says)?.[1]
  if (requests !== undefined) return { kind: "fail", requests: Number(requests), words: "" }
  if (/^r\b/.test(says)) return { kind: "retried", requests: 2, words: "" }
  if (says.includes("text cut")) return { kind: "text cut", requests: 1, words: "" }
  if (/^(ok|ignored)/.test(says)) return { kind: "ok", requests: 1, words: "" }
  const words = says.replace(/^fail\s*/, "").replace(/\(.*\)/, "")
  return { kind: "fail", requests: 1, words: words.replaceAll(/["`]/g, "") }
}

/**
 * @param {import("./observe.mjs").Observation} seen
 * @returns {Kind}
 */
export function kindOf(seen) {
  if (seen.kind === "silent") return "silent"
  if (seen.kind === "failed") return "fail"
  if (seen.answer.text !== wholeText) return "text cut"
  return seen.gaps.length > 0 ? "retried" : "ok"
}

/**
 * What was seen, in words.
 *
 * @param {import("./observe.mjs").Observation} seen
 */
export function tell(seen) {
  const waits = seen.gaps.map((ms) => (ms / 1_000).toFixed(2)).join(" and ")
  const tries = waits === "" ? "" : `retried after ${waits} s and `
  if (seen.kind === "silent") return `${tries}silent`
  if (seen.kind === "failed") {
    const { name, message } = describeError(seen.error)
    return `${tries}${waits === "" ? "fail" : "failed"}: ${name}: ${message}`
  }
  const { text } = seen.answer
  const how = text === wholeText ? "" : text === "" ? " without text" : `, text cut: "${text}"`
  return waits === "" ? `ok${how}` : `${tries}succeeded${how}`
}

/**
 * Why what was seen is not what the document says, `null` when it is.
 *
 * **Takes** `waitMs`, the wait that the fault asked for; a client may wait longer
 *
 * @param {string} says
 * @param {import("./observe.mjs").Observation} seen
 * @param {number} [waitMs]
 * @returns {string | null}
 */
export function disagreement(says, seen, waitMs = 0) {
  const { kind, requests, words } = readCell(says)
  const ours = kindOf(seen)
  if (ours !== kind) return `the document says ${kind}, and it was ${ours}`
  if (requests !== null && seen.gaps.length + 1 !== requests) {
    return `the document says ${requests} requests, and there were ${seen.gaps.length + 1}`
  }
  if (kind === "retried" && seen.gaps.some((ms) => ms < waitMs - earlyMs)) {
    return `it was asked to wait ${waitMs} ms, and came back after ${seen.gaps.join(" and ")}`
  }
  return tell(seen).includes(words.trim()) ? null : `the document says ${words.trim()}, and it was ${tell(seen)}`
}
