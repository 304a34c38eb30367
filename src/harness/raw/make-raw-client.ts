import { makeBoundedList } from "../../domain/bounded-list.ts"
import { type CloseMode, closeOptions } from "../../domain/close-mode.ts"
import { delayMsMax } from "../../domain/durations.ts"
import {
  aFunction,
  check,
  checkOption,
  listOf,
  type OptionCheck,
  shown as shownValue
} from "../../domain/option-checks.ts"
import { keptBytesMax, keptEntriesMax, rawWaitMsDefault } from "../../domain/raw-limits.ts"
import type { Supervisor } from "../../supervisor/supervisor.ts"
import type { OwnedProcess } from "../process/owned-process.ts"
import { makeAgentRequests } from "./agent-requests.ts"
import { makeInboundLines } from "./inbound-lines.ts"
import { makeKeptResponses } from "./kept-responses.ts"
import { goOnReading, type RawActor, rawClientKind } from "./raw-actor.ts"
import type { JsonMessage, RawEnd, RawStdioClient, RawViolation } from "./raw-client.ts"
import type { RawBehaviour } from "./raw-options.ts"
import { closedError, unsentError } from "./raw-report.ts"
import { makeRawSender } from "./raw-sender.ts"
import { messageGoal, responseGoal, silenceGoal, type WaitGoal } from "./raw-wait.ts"

/** What a raw client is made of. */
export interface RawParts extends RawBehaviour {
  readonly supervisor: Supervisor
  /** Started with input and stdout piped, and read by nobody. */
  readonly process: OwnedProcess
  /** Makes text of the agent fit to be shown. */
  readonly shown: (text: string) => string
  timeoutScale(): number
  /** How long the agent may take to end after its input, before the timeout scale. */
  readonly eofMs: number
  /** Gives back what the client has besides its process. */
  readonly release: () => Promise<void>
  /** The longest line. Default 64 MiB. */
  readonly lineBytesMax?: number
}

/** @since 0.1.0 @category constructors */
export const makeRawClient = (parts: RawParts): RawStdioClient => {
  const { supervisor, process, shown, timeoutScale, discardUnmatched = false } = parts
  const agent = { process, shown }
  const violations = makeBoundedList<RawViolation>({ entriesMax: keptEntriesMax, bytesMax: keptBytesMax })
  const inbound = makeInboundLines({
    arrived: () => supervisor.run(() => goOnReading(client)),
    line({ text, isUtf8 }) {
      if (!isUtf8) violations.push({ rule: "UTF-8", line: text.slice(0, violationLineMax) }, violationLineMax)
    },
    // Nothing can be told of what follows.
    overflowed: () => void process.close().catch(() => {}),
    ...(parts.lineBytesMax === undefined ? {} : { bytesMax: parts.lineBytesMax })
  })
  const sender = makeRawSender(supervisor, process)
  const requests = makeAgentRequests(parts)
  const notifications = makeBoundedList<JsonMessage>({ entriesMax: keptEntriesMax, bytesMax: keptBytesMax })
  let waits = 0
  let current: Promise<unknown> | null = null
  let closing: Promise<RawEnd> | null = null
  let closed = (): void => {}
  const whenClosed = new Promise<void>((resolve) => {
    closed = resolve
  })
  const scaled = (ms: number): number => Math.min(ms * timeoutScale(), delayMsMax)

  const client: RawActor = supervisor.spawn(
    rawClientKind,
    { keepsResponses: !discardUnmatched, eofMs: scaled(parts.eofMs) },
    {
      supervisor,
      agent,
      inbound,
      sender,
      requests,
      kept: makeKeptResponses(),
      notifications,
      waits: new Map(),
      isHungry: false,
      line: null,
      thrown: null,
      release: parts.release,
      closed: () => closed(),
      closeFailure: null
    }
  )
  process.read("stdout", inbound)
  process.waitForExit().then(() => inbound.processEnded())
  process.wait().then(() => supervisor.deliver(client, { type: "process.drained" }))

  const isOpen = (): boolean => client.snapshot.state.startsWith("open")

  const wait = async (goal: WaitGoal, ms: number, id: string | null = null): Promise<JsonMessage | undefined> => {
    checkOption(waitMs, ms, "ms of a wait")
    return new Promise((resolve, reject) => {
      supervisor.run(() => {
        if (!isOpen()) return reject(closedError(goal.what, agent))
        client.data.waits.set(++waits, { goal, id, resolve, reject })
        const isKept = id !== null && client.data.kept.has(id)
        supervisor.deliver(client, { type: "wait", wait: waits, ms: scaled(ms), isKept })
      })
    })
  }

  const message = async (goal: WaitGoal, ms = rawWaitMsDefault, id: string | null = null): Promise<JsonMessage> => {
    const found = await wait(goal, ms, id)
    if (found === undefined) throw new Error("a wait for a message ended without one")
    return found
  }

  /** Remembers who waits, so that closing a client whose wait nobody looks at any more is no crash. */
  const asked = <A>(ask: () => Promise<A>): Promise<A> => {
    const isAlone = client.snapshot.state === "open.idle"
    const promise = ask()
    if (isAlone) current = promise
    return promise
  }

  const send = async (chunks: ReadonlyArray<Uint8Array>, gapMs?: number): Promise<void> => {
    if (!isOpen()) throw closedError("a send", agent)
    if (inbound.outputEnd() !== null) throw unsentError(agent)
    return sender.send(chunks, gapMs)
  }

  const end = (): RawEnd => {
    if (client.data.closeFailure !== null) throw client.data.closeFailure
    const { status, terminationReason } = process
    return {
      exitCode: status?.code ?? null,
      signal: status?.signal ?? null,
      reason: terminationReason ?? null,
      stdoutTail: process.stdout.text(),
      stderrTail: process.stderr.text()
    }
  }

  const close = (mode: CloseMode): Promise<RawEnd> => {
    if (client.snapshot.status === "active") supervisor.deliver(client, { type: "close", mode })
    current?.catch(() => {})
    if (closing === null) {
      closing = whenClosed.then(end)
      // Whoever closes hears of it.
      closing.catch(() => {})
    }
    return closing
  }

  return {
    sendLine: (text) =>
      quiet(async () => {
        checkOption(anyText, text, "the line")
        return send([new TextEncoder().encode(`${text}\n`)])
      }),
    sendBytes: (bytes) =>
      quiet(async () => {
        checkOption(someBytes, bytes, "the bytes")
        return send([bytes])
      }),
    sendChunks: (chunks, { gapMs = 0 } = {}) =>
      quiet(async () => {
        checkOption(listOf(someBytes), chunks, "the chunks")
        checkOption(waitMs, gapMs, "gapMs")
        // No chunk would be the end of the input.
        if (chunks.length > 0) await send(chunks, gapMs)
      }),
    endInput: () => quiet(() => send([])),
    responseForId: (id, { what, ms } = {}) =>
      asked(async () => {
        checkOption(anyText, id, "the id")
        return message(responseGoal(id, what), ms, id)
      }),
    nextMessage: ({ what, ms } = {}) => asked(() => message(messageGoal(anyMessage, what), ms)),
    waitForMessage: (predicate, { what, ms } = {}) =>
      asked(async () => {
        checkOption(aFunction, predicate, "the predicate")
        return message(messageGoal(predicate, what), ms)
      }),
    expectSilence: (ms) =>
      asked(async () => {
        checkOption(waitMs, ms, "ms of a wait")
        await wait(silenceGoal(ms, shown, process.diagnostics), ms)
      }),
    notifications: notifications.items,
    refusals: requests.refused.items,
    violations: violations.items,
    stderr: () => process.stderr.text(),
    pid: () => process.pid,
    processDiagnostics: process.diagnostics,
    startTerminate: process.startTerminate,
    startKill: process.startKill,
    async close(options = {}) {
      checkOption(closeOptions, options)
      return close(options.mode ?? "terminate")
    },
    kill: () => close("kill"),
    async [Symbol.asyncDispose]() {
      await close("terminate")
    }
  }
}

const violationLineMax = 200

const anyText = check((value) => typeof value === "string", "a text")
const someBytes: OptionCheck = (value, path) =>
  value instanceof Uint8Array ? null : `${path} is ${shownValue(value)}; give a Uint8Array`
const waitMs = check(
  (value) => typeof value === "number" && value >= 0 && value <= delayMsMax,
  `milliseconds from 0 to ${delayMsMax}`
)

const anyMessage = (): boolean => true

/** A send that nobody looks at any more is no crash; whoever awaits it gets the error all the same. */
const quiet = (send: () => Promise<void>): Promise<void> => {
  const sent = send()
  sent.catch(() => {})
  return sent
}
