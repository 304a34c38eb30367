// @ts-check
import { setTimeout as delay } from "node:timers/promises"
import { startFaultServer } from "llm-understudy/faults"

/**
 * A client of a provider, and the call that it makes. Without `maxRetries` it retries as it does by default.
 *
 * @typedef {{
 *   readonly url: string
 *   readonly origin: string
 *   readonly maxRetries?: number
 *   readonly timeoutMs?: number
 *   readonly signal: AbortSignal
 * }} AskOptions
 * @typedef {{
 *   readonly name: string
 *   readonly package: string
 *   readonly call: string
 *   readonly endpoint: "ChatCompletions" | "Responses" | "Messages"
 *   readonly ask: (options: AskOptions) => Promise<import("./reading.mjs").Answer>
 * }} Caller
 */

/**
 * What became of one call: an answer, an error, or nothing for too long. `gaps` are the milliseconds between the requests.
 *
 * @typedef {{ readonly gaps: ReadonlyArray<number> } & (
 *   | { readonly kind: "answered", readonly answer: import("./reading.mjs").Answer }
 *   | { readonly kind: "failed", readonly error: unknown }
 *   | { readonly kind: "silent" }
 * )} Observation
 * @typedef {Observation extends infer O ? O extends Observation ? Omit<O, "gaps"> : never : never} Result
 */

/**
 * Sends a client at a fault server of its own.
 *
 * **Takes** `script`, the options of the server; `silentMs`, how long after its first request a call may take before it
 * counts as silent, by default for ever
 *
 * @param {Caller} caller
 * @param {import("llm-understudy/faults").FaultServerOptions} script
 * @param {{ readonly maxRetries?: number, readonly timeoutMs?: number, readonly silentMs?: number }} [options]
 * @returns {Promise<Observation>}
 */
export async function observe(caller, script, { silentMs, ...options } = {}) {
  const leaving = new AbortController()
  const { promise: asked, resolve: onEvent } = promiseWithResolvers()
  const server = await startFaultServer({ ...script, onEvent })
  const place = { url: server.url, origin: server.baseURL, signal: leaving.signal }
  try {
    const called = caller.ask({ ...place, ...options }).then(
      (answer) => /** @type {Result} */ ({ kind: "answered", answer }),
      (error) => /** @type {Result} */ ({ kind: "failed", error })
    )
    const silent = asked.then(() => delay(silentMs, /** @type {Result} */ ({ kind: "silent" }), { ref: false }))
    const result = await (silentMs === undefined ? called : Promise.race([called, silent]))
    const times = server.requests.map(({ t }) => t)
    return { ...result, gaps: times.slice(1).map((t, index) => t - (times[index] ?? 0)) }
  } finally {
    leaving.abort()
    await server.close()
  }
}

/** @returns {{ readonly promise: Promise<void>, readonly resolve: () => void }} */
function promiseWithResolvers() {
  let resolve = () => {}
  const promise = new Promise((/** @type {(value: void) => void} */ settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
