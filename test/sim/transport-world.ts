import { Effect } from "effect"
import { startFaults } from "../../src/faults/start-fault-server.ts"
import type { FaultServer, FaultServerOptions } from "../../src/faults.ts"
import type { MockInferenceServer, ServerOptions, ServerPreset } from "../../src/inference/server-api.ts"
import { startServer } from "../../src/inference/start-server.ts"
import { calmChoice, seededChoice } from "../../src/kernel/choice-sources.ts"
import { makeSimKernel, type SimKernel } from "../../src/kernel/sim-kernel.ts"
import type { HttpPort } from "../../src/ports/http-port.ts"
import { kernelClock } from "../../src/sim/kernel-clock.ts"
import { runFenced } from "../../src/sim/run-loop.ts"
import { makeSimHttp, type SimHttp, type SimHttpOptions } from "../../src/sim/transport-http.ts"
import { makeLifetime } from "../../src/supervisor/lifetime.ts"

/** A kernel of a test: calm without a seed. */
export const kernelOf = (seed?: number, windowMs = 0): SimKernel =>
  makeSimKernel({ choice: seed === undefined ? calmChoice : seededChoice(seed), windowMs })

/** Lets a run happen until `main` is done; what nothing can wake any more is a deadlock. */
export const runMain = async <A>(kernel: SimKernel, main: () => Promise<A>, stepsMax = 200_000): Promise<A> => {
  let outcome: { readonly value: A } | { readonly error: unknown } | null = null
  main().then(
    (value) => {
      outcome = { value }
    },
    (error: unknown) => {
      outcome = { error }
    }
  )
  const drain = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const ended = (): { readonly value: A } | { readonly error: unknown } | null => outcome
  for (let steps = 0; steps < stepsMax; steps++) {
    await drain()
    const end = ended()
    if (end !== null && "value" in end) return end.value
    if (end !== null) throw end.error
    if (kernel.step() === null) throw new Error(`deadlock at ${kernel.now()} ms`)
  }
  throw new Error(`no end after ${stepsMax} steps`)
}

/** Lets everything happen that is planned. */
export const runOut = (kernel: SimKernel): void => {
  while (kernel.step() !== null) {}
}

/** Starts a mock server on a simulated port. */
export const startMock = (
  kernel: SimKernel,
  http: HttpPort,
  options: ServerOptions & ServerPreset = {}
): Promise<MockInferenceServer> =>
  new Promise((started, failed) => {
    const ports = { clock: kernelClock(kernel, "srv"), http, lifetime: makeLifetime(Effect.runSync) }
    startServer(ports, options, { started, failed })
  })

/** Starts a fault server on a simulated port. */
export const startFaulty = (kernel: SimKernel, http: HttpPort, options: FaultServerOptions): Promise<FaultServer> =>
  new Promise((started, failed) => {
    const ports = {
      clock: kernelClock(kernel, "srv"),
      http,
      lifetime: makeLifetime(Effect.runSync),
      anySeed: () => 0,
      countsConnects: true
    }
    startFaults(ports, options, { started, failed })
  })

/** A streamed chat request. */
export const chatPost = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: '{"model":"m","messages":[],"stream":true}'
}

/** A program over a simulated network, its outcome, and the hash of its run. */
export const simulated = async <A>(
  main: (http: SimHttp, kernel: SimKernel) => Promise<A>,
  { seed, ...options }: SimHttpOptions & { readonly seed?: number } = {}
): Promise<{ readonly value: A; readonly hash: string; readonly atMs: number }> => {
  const kernel = kernelOf(seed)
  const http = makeSimHttp(kernel, options)
  const outcome = await runFenced({ kernel, seed: seed ?? 0, main: () => main(http, kernel) })
  if (outcome.status === "failed") throw outcome.error
  return { value: outcome.value, hash: outcome.stats.hash, atMs: outcome.stats.atMs }
}
