import { readdirSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setTimeout } from "node:timers/promises"
import { InferenceEndpoint, InferenceRequestMatcher, MockInferenceServer, ScriptedResponse } from "../../src/index.ts"
import type { ExpectationHandle } from "../../src/inference/expectation-handle.ts"
import { type AppliedScenario, applyScenario } from "../../src/inference/scenario-apply.ts"
import { readScenario } from "../../src/inference/scenario-script.ts"
import * as sse from "../../src/sse.ts"
import { answerQuestions } from "../shared/child.ts"
import { makeBooks } from "./books.ts"
import { numbersFrom, paths } from "./traffic.ts"

/* Our server under a soak, with the test that scripts it. */

export type SoakQuestion =
  | { readonly start: true; readonly seed: number }
  | { readonly sample: true }
  | { readonly end: true }

/** What the process holds at a moment, when garbage is collected, and how late its loop has been since the last one. */
export interface Sample {
  readonly port: number
  readonly heapMiB: number
  readonly rssMiB: number
  readonly files: number
  readonly delayP99Ms: number
  readonly delayMaxMs: number
  readonly requests: number
  readonly primaries: number
  readonly replays: number
  readonly reloads: number
  readonly outcomes: Readonly<Record<string, number>>
  readonly problems: ReadonlyArray<string>
}

const mebibyte = 1_024 * 1_024
const delay = monitorEventLoopDelay({ resolution: 1 })
const books = makeBooks()
let server: MockInferenceServer | null = null
let isOver = false
let reloads = 0
let port = 0
/** What scripts the server; each ends when it is over. */
const scripts: Array<Promise<void>> = []
const problems: Array<string> = []
/** Those that nobody stands at yet. */
const pending = new Set<ExpectationHandle>()

const running = (): MockInferenceServer => {
  if (server === null) throw new Error("it was not started")
  return server
}

/** A stream with a barrier that is opened a while after somebody stands at it, again and again. */
const scriptCalls = async (name: string, numbers: () => number): Promise<void> => {
  const matcher = InferenceRequestMatcher.auxiliary(InferenceEndpoint.Messages)
  for (let call = 1; !isOver; call++) {
    const events = sse.messages.text({ model: "tide-1", text: `Scripted ${name} ${call}.` })
    const at = numbers() < 0.5 ? ("terminal" as const) : { afterEvent: 2 }
    const handle = running().expectResponse(`${name}-${call}`, matcher, ScriptedResponse.sse(events), {
      barriers: [{ at }]
    })
    pending.add(handle)
    // It is taken back when all is over.
    const isBlocked = await handle.waitBlocked().then(
      () => true,
      () => false
    )
    pending.delete(handle)
    if (!isBlocked) continue
    await setTimeout(Math.floor(numbers() * 20))
    handle.release()
    // Its client may have left meanwhile.
    await handle.waitDelivered().catch(() => {})
    const { phase } = handle
    if (phase !== "Satisfied" && phase !== "Abandoned") problems.push(`${handle.name} is ${phase} when it is over`)
  }
}

/** Puts one scenario in the place of the other. */
const scriptReloads = async (): Promise<void> => {
  const texts = ["One.", "Two."]
  let applied: AppliedScenario | undefined
  while (!isOver) {
    const text = texts[reloads % texts.length] ?? ""
    const reading = readScenario({
      mode: { text },
      models: ["tide-1", `tide-${reloads}`],
      queues: { [paths.responses]: [{ text: "From the queue." }, { text: "From the queue." }] }
    })
    if (!reading.ok) throw new Error("the scenario cannot be read")
    applied = applyScenario(running(), reading.script, applied)
    reloads++
    await setTimeout(500)
  }
}

const scriptGate = async (numbers: () => number): Promise<void> => {
  while (!isOver) {
    running().holdAgentCompletions()
    await setTimeout(50 + Math.floor(numbers() * 100))
    running().releaseAgentCompletions()
    await setTimeout(200)
  }
}

const start = async (seed: number): Promise<void> => {
  server = await MockInferenceServer.start()
  server.watchTrace(books.see)
  port = Number(new URL(server.origin()).port)
  for (let script = 1; script <= 16; script++) scripts.push(scriptCalls(`call-${script}`, numbersFrom(seed + script)))
  scripts.push(scriptReloads(), scriptGate(numbersFrom(seed)))
  delay.enable()
}

const finish = async (): Promise<void> => {
  isOver = true
  for (const handle of pending) {
    handle.release()
    handle.retire()
  }
  await Promise.all(scripts)
  // What clients have asked last has been answered; the log says so too.
  const entries = running().requests()
  entries.forEach(({ number, answer }, place) => {
    if (number !== (entries[0]?.number ?? 0) + place) problems.push(`entry ${place} of the log has number ${number}`)
    if (answer.outcome === null) problems.push(`request ${number} has no outcome in the log`)
  })
  const counted = running().requestCount()
  if (counted !== books.requests()) problems.push(`the log counts ${counted} requests, the trace ${books.requests()}`)
  const { blocked } = await running().close()
  for (const line of blocked) problems.push(`cut when it closed: ${line}`)
  problems.push(...books.problemsAtTheEnd())
}

const filesOpen = (): number => {
  try {
    return readdirSync("/proc/self/fd").length
  } catch {
    return Number.NaN
  }
}

const sample = (): Sample => {
  const delays = { delayP99Ms: delay.percentile(99) / 1e6, delayMaxMs: delay.max / 1e6 }
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  delay.reset()
  return {
    port,
    heapMiB: heapUsed / mebibyte,
    rssMiB: rss / mebibyte,
    files: filesOpen(),
    ...delays,
    requests: books.requests(),
    ...books.claims(),
    reloads,
    outcomes: books.outcomes(),
    problems: [...problems, ...books.problems()]
  }
}

answerQuestions<SoakQuestion, Sample>(async (question) => {
  if ("start" in question) await start(question.seed)
  else if ("end" in question) await finish()
  return sample()
})
