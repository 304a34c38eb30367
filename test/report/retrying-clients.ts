import type { Outcome } from "../../src/explore/outcome.ts"
import type { Program } from "../../src/explore/program.ts"
import { forkListedChoice } from "../../src/kernel/choice-forked.ts"
import type { ChoiceLists } from "../../src/kernel/choice-forks.ts"
import { makeSimKernel, type ScheduleChoice, type SimKernel } from "../../src/kernel/sim-kernel.ts"
import { gatherSteps } from "../../src/report/gather-steps.ts"
import type { RunEnd, RunTrace, StepDetail } from "../../src/report/run-trace.ts"

const latenciesMs = [20, 400, 6_000]
const timeoutMs = 3_000

/** A run of the clients: what the kernel saw, what they said of steps, and whom the server served twice. */
interface Clients {
  readonly kernel: SimKernel
  readonly details: ReadonlyMap<number, StepDetail>
  readonly twice: ReadonlyArray<string>
  /** The step at which it showed. */
  readonly failedAt: ReadonlyArray<number>
}

/** Three clients; the answer to one may be later than its timeout, and the server carries out a call again. */
const runClients = (choice: ScheduleChoice, { isFixed }: { readonly isFixed: boolean }): Clients => {
  const kernel = makeSimKernel({ choice, windowMs: 10 })
  const details = new Map<number, StepDetail>()
  const tell = (detail: StepDetail): void => {
    details.set(kernel.stepCount(), { ...details.get(kernel.stepCount()), ...detail })
  }
  const executions = new Map<string, number>()
  const failedAt: Array<number> = []
  const attempt = (client: string, count: number): void => {
    const forget = kernel.plan(timeoutMs, { kind: "timer", label: "timeout", actor: client, touches: [client] }, () => {
      tell({ state: "retrying", note: "no answer in 3 s" })
      if (count < 3) attempt(client, count + 1)
    })
    const ask = { kind: "deliver", label: "request", actor: "server", touches: [`call/${client}`] } as const
    kernel.plan(5, { ...ask, channel: `${client}>server` }, () => {
      const times = (executions.get(client) ?? 0) + 1
      if (!isFixed || times === 1) executions.set(client, times)
      if (executions.get(client) === 2) failedAt.push(kernel.stepCount())
      tell({
        state: `executed ${executions.get(client)}`,
        bytes: `POST /v1/responses\r\nx-client: ${client}\r\n\r\n{}`
      })
      const latencyMs = latenciesMs[kernel.choice.draw(3, `net/${client}/latency`)] ?? 0
      const answer = { kind: "deliver", label: "answer", actor: client, touches: [client] } as const
      kernel.plan(latencyMs, { ...answer, channel: `server>${client}` }, () => {
        tell({ state: "answered" })
        forget()
      })
    })
  }
  for (const client of ["c1", "c2", "c3"]) attempt(client, 1)
  while (kernel.step() !== null);
  const twice = [...executions].filter(([, times]) => times > 1).map(([client]) => client)
  return { kernel, details, twice, failedAt: failedAt.slice(0, 1) }
}

const outcomeOf = ({ kernel, twice }: Clients): Outcome => {
  const hash = kernel.hash()
  if (twice.length === 0) return { type: "ok", hash }
  return { type: "failed", signature: "executed twice", message: `executed more than once: ${twice.join(", ")}`, hash }
}

/** The clients as a program. */
export const retryingClients: Program<Outcome> = (choice) => outcomeOf(runClients(choice, { isFixed: false }))

/** The same with a server that knows a call again. */
export const fixedClients: Program<Outcome> = (choice) => outcomeOf(runClients(choice, { isFixed: true }))

/** One late answer, and the third client first: the first of two requests to `c2` is answered after its timeout. */
export const lateChoices: ChoiceLists = { schedule: [2], "net/c2": [2] }

/** A run of the clients as reports get it. */
export const clientsTrace = (lists: ChoiceLists, token: string | null = "us1.0.-.seeded.abc"): RunTrace => {
  const clients = runClients(forkListedChoice(lists), { isFixed: false })
  const outcome = outcomeOf(clients)
  const made = { hash: outcome.hash ?? null, token }
  const end: RunEnd =
    outcome.type === "ok"
      ? { type: "ok", ...made }
      : {
          type: "failed",
          oracle: "at most one execution a call",
          signature: outcome.signature,
          message: outcome.message,
          failedAt: clients.failedAt,
          ...made
        }
  const { kernel, details } = clients
  return {
    header: {
      title: "three clients that retry",
      engine: "0.1.0",
      strategy: "portfolio",
      seed: 7,
      options: { windowMs: 10 },
      node: "v20.19.0",
      machines: "none",
      lock: "none"
    },
    end,
    steps: gatherSteps(kernel.steps(), { draws: kernel.draws, details })
  }
}
