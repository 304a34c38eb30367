import type { Command, History } from "../model/command.ts"
import { pathOf } from "../model/request.ts"
import type { Done, Observations, SeenExchange } from "../observation/observations.ts"
import { type Answered, accountOf, bodyOf, broken, type Invariant, isComplete, say } from "./account.ts"
import { delayAt } from "./barrier.ts"
import { allOf, modelAgrees } from "./model-agrees.ts"

/** 29. The source of an answer follows from what is live, pending and queued, token, turns and kind, and so do its bytes. */
export const sourceFunction: Invariant = modelAgrees(29)

const closes = ({ steps }: History): boolean => steps.some(({ command }) => command.type === "close")

/** The exchange that a command began. */
const exchangeOf = ({ exchanges }: Observations, command: number): SeenExchange | undefined =>
  exchanges.find((exchange) => exchange?.command === command) ?? undefined

const labelOf = ({ headers }: SeenExchange): string | undefined => headers.find(([name]) => name === "x-script")?.[1]

/** 31. Each queue is served in order, every entry once, to a request of its own path. */
export const queueOrder: Invariant = allOf((history, observations) => {
  const queues = new Map<string, Array<string>>()
  let count = 0
  observations.commands.forEach(({ command }, index) => {
    if (command.type === "clearQueues") queues.clear()
    if (command.type === "enqueue") {
      queues.set(command.queue, [...(queues.get(command.queue) ?? []), `queued-${count++}`])
    }
    const served = exchangeOf(observations, index)
    const label = served === undefined ? undefined : labelOf(served)
    if (served === undefined || label === undefined || !label.startsWith("queued")) return
    const path = served.request?.endpoint ?? "Settings"
    const next = queues.get(path)?.shift()
    if (label !== next) broken(`command ${index} on ${path} got ${label} and not ${next ?? "the mode"}`)
  })
  const left = [...queues.values()].flat()
  if (!closes(history) && left.length > 0) broken(`${left.join(", ")} came to nobody`)
}, modelAgrees(31))

const isStream = ({ headers }: SeenExchange): boolean =>
  headers.some(([name, value]) => name === "content-type" && value.startsWith("text/event-stream"))

const isUnmatched = ({ source }: Answered): boolean => source === "queue" || source === "turn" || source === "mode"

/** 32. A held gate stops foreground streams of queue and modes before their last event, and nothing else. */
export const gateScope: Invariant = allOf((_, observations) => {
  const { requests, commands } = accountOf(observations)
  for (const request of requests.filter(isUnmatched)) {
    const isGated = request.kind === "foreground" && isStream(request) && request.status !== 204
    const isPlain = delayAt(commands, request.command) === null && request.request.windowBytes === null
    for (const [index, done] of commands.entries()) {
      if (index <= request.command || !done.isQuiet || !isHeldThrough(commands, request.command, index)) continue
      const hasEnded = done.before.ends[request.exchange] === true
      if (isGated && hasEnded && isComplete(request)) broken(`${say.request(request)} went through the held gate`)
      const isGone = commands.some(({ command }) => leaves(command, request.exchange))
      if (!isGated && isPlain && !isGone && !hasEnded)
        broken(`${say.request(request)} waits at a gate that is not its own`)
    }
  }
}, modelAgrees(32))

const leaves = (command: Command, exchange: number): boolean =>
  command.type === "disconnect" && command.exchange === exchange

/** Whether the gate was held from before one command until another. */
const isHeldThrough = (commands: ReadonlyArray<Done>, from: number, to: number): boolean => {
  const change = commands.slice(0, from).findLast(({ command }) => command.type === "hold" || command.type === "open")
  return change?.command.type === "hold" && !commands.slice(from, to).some(({ command }) => command.type === "open")
}

/** 33. Agent turns are used up in order, one for each foreground request that nothing scripted answers. */
export const turnOrder: Invariant = allOf((history, observations) => {
  let turns: ReadonlyArray<string> = []
  accountOf(observations).commands.forEach(({ command }, index) => {
    if (command.type === "turns") turns = command.texts
    const request = accountOf(observations).requests.find((answered) => answered.command === index)
    if (request?.source !== "turn") return
    const [next, ...rest] = turns
    turns = rest
    if (next === undefined || request.kind !== "foreground")
      broken(`${say.request(request)} got a turn that is not its own`)
    const number = next?.split(" ")[1] ?? ""
    if (isComplete(request) && !bodyOf(request).includes(number))
      broken(`${say.request(request)} did not get "${next}"`)
  })
  if (!closes(history) && turns.length > 0) broken(`the turns ${turns.join(", ")} came to nobody`)
}, modelAgrees(33))

/** 34. Every handled request is one entry and one count, in the order of the decisions; the newest are retained. */
export const logOrder: Invariant = allOf(({ setup }, observations) => {
  let count = 0
  let kept: ReadonlyArray<number> = []
  let isKeeping = true
  observations.commands.forEach(({ command, after, kept: shown }, index) => {
    if (command.type === "keep") isKeeping = command.on
    const isHandled = (command.type === "request" || command.type === "resource") && exchangeOf(observations, index)
    if (isHandled) {
      count++
      if (isKeeping) kept = [...kept, count].slice(-setup.logEntriesMax)
    }
    if (after.requestCount !== count || (shown !== null && shown.join() !== kept.join())) {
      broken(
        `after command ${index} the log counts ${after.requestCount} and holds [${shown}], not ${count} and [${kept}]`
      )
    }
  })
  for (const entry of observations.log) {
    const sent = observations.exchanges.find((exchange) => exchange?.number === entry.number)
    if (sent === null || sent === undefined || !isTrue(entry, sent))
      broken(`log entry ${entry.number} is not its request`)
  }
}, modelAgrees(34))

const isTrue = (entry: Observations["log"][number], { sent, request }: SeenExchange): boolean => {
  if (request === null) return entry.method === "GET" && entry.path === sent.target && entry.body === undefined
  const authorization = sent.headers.find(([name]) => name === "authorization")?.[1]
  return (
    entry.method === "POST" &&
    entry.path === pathOf(request.endpoint) &&
    JSON.stringify(entry.body) === JSON.stringify(JSON.parse(sent.body)) &&
    entry.authorization === authorization &&
    JSON.stringify(entry.headers) === JSON.stringify(sent.headers)
  )
}

/** 35. When the first byte of an answer is there, or its `Received`, the log has its entry. */
export const logFirst: Invariant = (_, observations) => {
  const { expectations } = accountOf(observations)
  for (const exchange of observations.exchanges) {
    if (exchange === null || exchange.headAt === null) continue
    const { type } = observations.commands[exchange.command]?.command ?? { type: "stray" }
    if (type !== "stray" && !exchange.wasLoggedFirst)
      broken(`the request at ${exchange.at} ms was answered before it was logged`)
  }
  for (const { primaries, phases, name } of expectations) {
    const received = phases.find(({ phase }) => phase === "Received")
    const number = primaries[0]?.number ?? 0
    if (received !== undefined && received.requestCount < number)
      broken(`"${name}" was received before its request was logged`)
  }
}

/** 36. With delay d, event k is sent at k·d exactly; JSON and raw answers are not paced. */
export const pacing: Invariant = allOf((_, observations) => {
  const { requests, commands, expectations } = accountOf(observations)
  const isHeldEver = commands.some(({ command }) => command.type === "hold")
  for (const request of requests) {
    const expectation = expectations.find((one) => one.expectation === request.expectation)
    if (request.request.windowBytes !== null || (expectation?.barriers.length ?? 0) > 0 || request.status === 204)
      continue
    if (!isStream(request)) {
      if (request.headAt !== request.at) broken(`${say.request(request)} is paced, and it is no stream`)
      continue
    }
    const delay = delayAt(commands, request.command)
    const events = request.pieces.filter(({ text }) => text !== ":\n\n")
    if (delay === null || isHeldEver) continue
    const off = events.findIndex(({ at }, index) => at !== request.at + (index + 1) * delay)
    if (off >= 0)
      broken(
        `event ${off + 1} of ${say.request(request)} came ${(events[off]?.at ?? 0) - request.at} ms after its start`
      )
  }
}, modelAgrees(36))
