// @ts-check
import { monitorEventLoopDelay } from "node:perf_hooks"
import { atMost } from "./at-most.mjs"
import { pageCallers } from "./callers.mjs"
import { observe } from "./observe.mjs"
import { pageCell } from "./page-cells.mjs"

/** Those whose result hangs on a timer are few at a time and by themselves, so that nothing keeps the timer waiting. */
const timedAtOnce = 27
const othersAtOnce = 48

/** Pauses that no client notices. */
const pauses = { chunkDelayMs: 1, headDelayMs: 20 }

/** The text of the fault that needs characters of several bytes. */
const wideText = "réponse 🌊 回復"

/** What clients that can be given a timeout get when the server stalls, and how long after that they hang. */
const timeoutMs = 1_000
const hangsMs = 4_000

/** Longer than the first wait of any client, and shorter than the day that one fault asks for. */
const waitsMs = 8_000
const longWait = "retry_after_huge"

/** On a machine that is this late a timer proves nothing. */
const lateMs = 250

/**
 * Sends every client of the page at every fault.
 *
 * **Gives** by client, by fault what the page says
 *
 * @param {ReadonlyArray<import("./catalogue.mjs").Fault>} faults
 * @returns {Promise<ReadonlyMap<string, ReadonlyMap<string, string>>>}
 */
export async function runPage(faults) {
  const goodAnswers = new Map(
    await Promise.all(pageCallers.map(async (caller) => /** @type {const} */ ([caller.name, await goodAnswer(caller)])))
  )
  /** @type {ReadonlyMap<string, Map<string, string>>} */
  const cells = new Map(pageCallers.map(({ name }) => [name, new Map()]))

  /**
   * @param {ReadonlyArray<import("./catalogue.mjs").Fault>} some
   * @param {number} atOnce
   * @param {typeof runCell} runOne
   */
  const runAll = async (some, atOnce, runOne) => {
    const inTurn = atMost(atOnce)
    const runs = some.flatMap((fault) =>
      pageCallers.map((caller) =>
        inTurn(async () => {
          const good = goodAnswers.get(caller.name)
          if (good !== undefined) cells.get(caller.name)?.set(fault.name, await runOne(caller, fault, good))
        })
      )
    )
    await Promise.all(runs)
  }
  await runAll(faults.filter(isTimed), timedAtOnce, onTime)
  await runAll(
    faults.filter((fault) => !isTimed(fault)),
    othersAtOnce,
    runCell
  )
  return cells
}

/** @param {Pick<import("./catalogue.mjs").Fault, "name" | "outcome">} fault */
const isTimed = ({ name, outcome }) => outcome === "stalled" || name === longWait

/**
 * Runs until the machine was not late.
 *
 * @type {typeof runCell}
 */
async function onTime(caller, fault, good) {
  for (;;) {
    const delay = monitorEventLoopDelay({ resolution: 10 })
    delay.enable()
    const cell = await runCell(caller, fault, good)
    delay.disable()
    if (delay.max < lateMs * 1e6) return cell
  }
}

/** @param {import("./observe.mjs").Caller} caller */
async function goodAnswer(caller) {
  const seen = await observe(caller, { sequence: ["success"] })
  if (seen.kind !== "answered") throw new Error(`${caller.name} does not take a good answer`)
  return seen.answer
}

/**
 * @param {import("./observe.mjs").Caller} caller
 * @param {import("./catalogue.mjs").Fault} fault
 * @param {import("./reading.mjs").Answer} good
 */
async function runCell(caller, { name, outcome }, good) {
  const text = name === "split_utf8" ? wideText : good.text
  const script = { sequence: [name, "success"], successText: text, ...pauses }
  const stalled = outcome === "stalled" ? { timeoutMs, silentMs: hangsMs } : {}
  const waiting = isTimed({ name, outcome }) ? { silentMs: waitsMs } : {}
  const once = await observe(caller, script, { ...stalled, maxRetries: 0 })
  const retried = once.kind === "failed" ? await observe(caller, script, { ...stalled, ...waiting }) : null
  return pageCell(once, retried, { ...good, text })
}
