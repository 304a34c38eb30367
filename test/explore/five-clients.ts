import type { Outcome } from "../../src/explore/outcome.ts"
import type { Program } from "../../src/explore/program.ts"
import { makeSimKernel } from "../../src/kernel/sim-kernel.ts"

const latenciesMs = [5, 50, 500, 2_500, 6_000]
const timeoutMs = 3_000
const attemptsMax = 3

/**
 * Five clients that retry what is not answered in time or fails; the server, unless it is fixed, carries out a call again. Each
 * attempt draws how it fails (of six ways three do no harm) and how late its answer is.
 */
export const fiveClients =
  ({
    isFixed = false,
    clients = 5
  }: {
    readonly isFixed?: boolean
    readonly clients?: number
  } = {}): Program<Outcome> =>
  (choice, context) => {
    const kernel = makeSimKernel({ choice })
    const executions = new Map<string, number>()

    const attempt = (client: string, count: number): void => {
      let isOver = false
      const again = (): void => {
        if (isOver) return
        isOver = true
        forget()
        context.sometimes("a retry")
        if (count < attemptsMax) attempt(client, count + 1)
      }
      const forget = kernel.plan(timeoutMs, { kind: "timer", label: "timeout", actor: client }, again)
      const fault = kernel.choice.draw(6, `net/${client}/fault`)
      const latencyMs = latenciesMs[kernel.choice.draw(5, `net/${client}/latency`)] ?? 0
      kernel.plan(5, { kind: "deliver", label: "request", actor: "server" }, () => {
        if (fault === 5) return void kernel.plan(1, { kind: "deliver", label: "refused", actor: client }, again)
        if (!isFixed || !executions.has(client)) executions.set(client, (executions.get(client) ?? 0) + 1)
        context.cover(`executed ${executions.get(client)}`)
        kernel.plan(latencyMs, { kind: "deliver", label: "answer", actor: client }, () => {
          if (fault === 4) return again()
          isOver = true
          forget()
        })
      })
    }

    for (let index = 1; index <= clients; index++) attempt(`c${index}`, 1)
    while (kernel.step() !== null);
    const hash = kernel.hash()
    const twice = [...executions].filter(([, count]) => count > 1).map(([client]) => client)
    if (twice.length === 0) return { type: "ok", hash }
    return { type: "failed", signature: "executed twice", message: `executed more than once: ${twice.join()}`, hash }
  }
