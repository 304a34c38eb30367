import type { TraceEvent } from "../domain/trace-event.ts"
import type { SimKernel } from "../kernel/sim-kernel.ts"
import { callName, type RunFact, type SeenEvent } from "../oracles/run-event.ts"
import { OracleViolated, type Violation, violationText } from "../oracles/violation.ts"
import type { StepDetail } from "../report/run-trace.ts"
import { makeHeldThings } from "../sim/held-things.ts"
import { runEpochMs } from "../sim/kernel-clock.ts"
import type { RunObserver } from "../sim/run-observer.ts"
import type { SimContext } from "../sim/sim-run.ts"
import { servedRequest } from "../sim/transport-watched.ts"
import { factText } from "./fact-text.ts"
import { type JudgeOptions, judgedKinds, makeJudge } from "./judge.ts"
import { runNumbers } from "./server-facts.ts"
import { shownPath } from "./shown-path.ts"
import { recordStates } from "./state-record.ts"
import { stepDetails } from "./step-details.ts"
import { watchClients } from "./watched-clients.ts"
import { whatGoesOn, whoWaits } from "./who-waits.ts"
import { recordWire } from "./wire-record.ts"

/** A server whose trace can be seen. */
export interface TracedServer {
  traceEvents(): ReadonlyArray<TraceEvent>
  watchTrace(see: (event: TraceEvent) => void): () => void
}

/** A run of our worlds that is seen from outside: its clients by their network, its servers by their traces. */
export interface ObservedRun extends RunObserver {
  /** A server of the run has started. */
  started(server: TracedServer, options: { readonly hasReplays: boolean }): void
  tell(actor: string, fact: RunFact): void
  /** What is known of the steps of the run beyond what the kernel knows. */
  details(): ReadonlyMap<number, StepDetail>
  /** Which laws were broken when the program ended, a line each. */
  broken(): ReadonlyArray<string>
  /** The run is over: what it broke; `null` when nothing. */
  judge(): Judged | null
}

/** What judges found. */
export interface Judged {
  readonly error: OracleViolated
  /** The steps at which it showed. */
  readonly failedAt: ReadonlyArray<number>
}

interface Noted {
  readonly step: number
  readonly of: string | SeenEvent
}

const isOfProgram = ({ of }: Noted): boolean => typeof of === "string" || of.type === "told"

/** So much is noted of a run. */
const notesMax = 10_000

/**
 * Sees a run: tells its judges, notes what people want to read of it, and says which states its servers reached.
 *
 * @since 0.1.0
 * @category simulation
 */
export const observeRun = (
  kernel: SimKernel,
  {
    context,
    judge: laws,
    isTold = false
  }: {
    readonly context: SimContext
    readonly judge?: JudgeOptions | undefined
    /** Whether states of servers and what goes over wires are kept too, which costs more than most runs are worth. */
    readonly isTold?: boolean | undefined
  }
): ObservedRun => {
  const judge = laws === undefined ? null : makeJudge(laws, context)
  const kinds = laws === undefined ? [] : judgedKinds(laws)
  const held = kinds.length === 0 ? undefined : makeHeldThings({ kinds, now: kernel.now, hasPlaces: isTold })
  const noted: Array<Noted> = []
  const servers: Array<() => ReadonlyArray<TraceEvent>> = []
  /** Those that have not settled, oldest first. */
  const calls = new Set<string>()
  const numbers = runNumbers()
  const states = recordStates()
  /** What servers do in this step from then on, they do because they are closed. */
  let endedAt: number | null = null
  const wire = isTold ? recordWire() : null
  /** For each violation the step at which it showed. */
  const showed: Array<number> = []
  let brokenWhenEnded: ReadonlyArray<Violation> = []
  /** Most runs are neither told nor judged: nobody asks what happened in them. */
  const isSeen = isTold || judge !== null
  const note = (of: string | SeenEvent): void => {
    if (isTold && noted.length < notesMax) noted.push({ step: kernel.stepCount(), of })
  }
  const see = (event: SeenEvent): void => {
    if (event.type !== "step") note(event)
    else if (isTold && kernel.stepCount() !== endedAt) states.see(kernel.stepCount(), event)
    if (judge === null) return
    judge.see(event)
    while (showed.length < judge.violations().length) showed.push(kernel.stepCount())
  }
  const tell = (actor: string, fact: RunFact): void => {
    if (fact.type === "call.started") calls.add(callName({ ...fact, actor }))
    if (fact.type === "call.settled") calls.delete(callName({ ...fact, actor }))
    see({ ...fact, actor, at: kernel.now() })
  }
  const clients = watchClients({
    tell: isSeen ? tell : undefined,
    isJudged: judge !== null,
    wallMs: () => runEpochMs + Math.floor(kernel.now())
  })

  return {
    clients: clients.watch,
    ...(isSeen ? { dials: clients.dials } : {}),
    ...(held === undefined ? {} : { held }),
    over: clients.over,
    ...(wire === null ? {} : { wire: (channel, payload) => wire.arrived(kernel.stepCount(), channel, payload) }),
    noted: note,
    tell,
    started(server, { hasReplays }) {
      const factOf = numbers.next()
      const number = servers.length + 1
      const take = (event: TraceEvent): void => {
        if (event.type === "step") context.cover(`${event.chart} ${event.state} ${event.event}`)
        if (!isSeen && event.type !== "request") return
        const fact = factOf(event)
        see(fact)
        if (fact.type === "request") inItsSight(() => clients.arrived(fact.request, { server: number, hasReplays }))
      }
      for (const event of server.traceEvents()) take(event)
      server.watchTrace(take)
      servers.push(() => server.traceEvents().map(factOf))
    },
    programEnded() {
      endedAt = kernel.stepCount()
      brokenWhenEnded = [...(judge?.violations() ?? [])]
      held?.programEnded()
      if (!kinds.includes("request")) return
      for (const { client, method, target, request, status } of clients.attempts()) {
        const resource = `${method} ${target}${request === null ? "" : `, request ${request}`}${status === null ? "" : `, ${status}`}`
        tell(client, { type: "resource.opened", kind: "request", resource })
      }
    },
    goingOn: () => whatGoesOn({ calls: [...calls], attempts: clients.attempts() }),
    waiting: () =>
      whoWaits({
        calls: [...calls],
        attempts: clients.attempts(),
        events: servers.flatMap((events) => events())
      }),
    details() {
      // What the program says itself stands first: who shows it has room for a few words.
      const ofProgram = noted.filter(isOfProgram)
      const notes = [...ofProgram, ...noted.filter((one) => !isOfProgram(one))].flatMap(({ step, of }) => {
        const text = typeof of === "string" ? of : factText(of)
        return text === null ? [] : [{ step, text }]
      })
      const first = kernel.steps()[0]?.step ?? 0
      return stepDetails({ notes, states: states.texts(), bytes: wire?.texts() ?? new Map() }, first)
    },
    broken: () => brokenWhenEnded.map(violationText),
    judge() {
      for (const { kind, actor, what, sinceMs: since, madeAt } of held?.left() ?? []) {
        const place = madeAt === null ? {} : { madeAt: shownPath(madeAt) }
        tell(actor, { type: "resource.opened", kind, resource: what, since, ...place })
      }
      const violations = judge?.end(kernel.now()) ?? []
      const [first, ...others] = violations
      if (first === undefined) return null
      const steps = violations.map(({ at }, index) => showed[index] ?? lastStepAt(kernel, at))
      return { error: new OracleViolated(first, others), failedAt: [...new Set(steps)].sort((one, two) => one - two) }
    }
  }
}

/** A request over bytes has arrived when its server says so. */
const inItsSight = (take: () => void): void => {
  const request = servedRequest()
  if (request === null) take()
  else request.arriving(take)
}

/** Of what had to happen until a moment and did not, the last step that there was until then. */
const lastStepAt = (kernel: SimKernel, at: number): number =>
  kernel.steps().findLast((step) => step.at <= at)?.step ?? 0
