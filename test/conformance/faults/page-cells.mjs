// @ts-check
import { isDeepStrictEqual } from "node:util"
import { describeError } from "./describe-error.mjs"

const messageMax = 60

/**
 * What the page says of one client and one fault.
 *
 * **Takes** what came of the fault without retries; with the client's own retries, where it had failed; of a good answer
 *
 * @param {import("./observe.mjs").Observation} once
 * @param {import("./observe.mjs").Observation | null} retried
 * @param {import("./reading.mjs").Answer} good
 */
export function pageCell(once, retried, good) {
  if (once.kind === "silent") return "hangs"
  if (once.kind === "answered") return answerCell(once.answer, good)
  return `${errorCell(once.error)}${retryNote(retried, good)}`
}

/**
 * What is not as in a good answer.
 *
 * @param {import("./reading.mjs").Answer} answer
 * @param {import("./reading.mjs").Answer} good
 */
function answerCell({ text, finish, calls }, good) {
  const differences = [
    ...calls.map((call) => `calls with ${code(call)}`),
    ...(text === good.text ? [] : [text === "" ? (calls.length > 0 ? "" : "no text") : `text ${code(text)}`]),
    ...(finish === good.finish ? [] : [finish === null ? "no finish reason" : `finish ${code(finish)}`])
  ].filter((difference) => difference !== "")
  return differences.length === 0 ? "ok" : `ok: ${differences.join(", ")}`
}

/** @param {unknown} error */
function errorCell(error) {
  const { name, message, isOfReader } = describeError(error)
  return isOfReader ? "ok: no answer" : code(message === "" ? name : `${name}: ${shortened(message)}`)
}

/**
 * @param {import("./observe.mjs").Observation | null} seen
 * @param {import("./reading.mjs").Answer} good
 */
function retryNote(seen, good) {
  if (seen === null) return ""
  if (seen.kind === "silent") return ", waits"
  if (seen.gaps.length === 0) return ""
  return seen.kind === "answered" && isDeepStrictEqual(seen.answer, good) ? ", retried" : ", retried in vain"
}

/** @param {string} text */
const code = (text) => `\`${text.replaceAll("`", "'").replaceAll("|", "\\|")}\``

/** @param {string} message */
const shortened = (message) =>
  message.length > messageMax ? `${message.slice(0, messageMax - 1).trimEnd()}…` : message
