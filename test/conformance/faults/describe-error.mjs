// @ts-check
import { ReadingFailed } from "./reading.mjs"

/**
 * The class of an error under the name by which a program knows it, and its message on one line. What is thrown, or handed
 * on as an error, need not be an error; then its type stands in the place of the class.
 *
 * @param {unknown} error
 * @returns {{ readonly name: string, readonly message: string, readonly isOfReader: boolean }}
 */
export function describeError(error) {
  if (error instanceof ReadingFailed) return { name: error.name, message: oneLine(error.message), isOfReader: true }
  if (!(error instanceof Error)) return { name: typeof error, message: oneLine(messageOf(error)), isOfReader: false }
  const className = error.constructor.name.replace(/^_/, "")
  const name = className === "Error" || className === "DOMException" ? error.name : className
  return { name, message: oneLine(withoutJson(error.message)), isOfReader: false }
}

/** @param {unknown} value */
const messageOf = (value) =>
  typeof value === "object" && value !== null && "message" in value ? String(value.message) : String(value)

/**
 * A message that ends in JSON, with the message of that in its place: of an error of a provider, or of the first thing that
 * a checker of shapes complains of.
 *
 * @param {string} text
 */
function withoutJson(text) {
  const at = text.search(/[{[]/)
  if (at < 0) return text
  try {
    return `${text.slice(0, at)}${gist(JSON.parse(text.slice(at))) ?? text.slice(at)}`
  } catch {
    return text
  }
}

/** @param {any} value */
const gist = (value) => {
  if (typeof value?.error?.message === "string") return `{… ${value.error.message}}`
  const [{ path, message } = { path: null, message: null }] = Array.isArray(value) ? value : []
  return Array.isArray(path) ? `[… ${path.join(".")}: ${message}]` : null
}

/**
 * Newer versions of Node add the line and the column to the messages of `JSON.parse`.
 *
 * @param {string} message
 */
const oneLine = (message) =>
  message
    .replaceAll(/[^\x20-\x7e…\s]+/g, "?")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ \(line \d+ column \d+\)/g, "")
    .trim()
