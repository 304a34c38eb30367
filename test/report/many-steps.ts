import type { RunTrace, TracedStep } from "../../src/report/run-trace.ts"

/** A step with what matters to a test. */
export const tracedStep = (step: number, detail: Partial<TracedStep> = {}): TracedStep => ({
  step,
  at: step,
  kind: "deliver",
  label: "message",
  actor: "a",
  channel: null,
  chain: 1,
  cause: null,
  enabled: 1,
  draws: [],
  ...detail
})

/** A failed run of these steps. */
export const failedTrace = (steps: ReadonlyArray<TracedStep>, failedAt: ReadonlyArray<number> = []): RunTrace => ({
  header: {
    title: "a run",
    engine: "0.1.0",
    strategy: "random",
    seed: 1,
    options: {},
    node: "v20.19.0",
    machines: "m",
    lock: "l"
  },
  end: { type: "failed", oracle: null, signature: "s", message: "it broke", failedAt, hash: "0", token: "us1.x" },
  steps
})

/** A long run of eight actors that pass messages on; every step depends on the one before it. */
export const longTrace = (count: number): RunTrace =>
  failedTrace(
    Array.from({ length: count }, (_, index) => {
      const step = index + 1
      const isChosen = index % 97 === 96
      return tracedStep(step, {
        at: index * 3 + Math.floor(index / 50) * 5_000,
        kind: index % 5 === 0 ? "timer" : index % 7 === 0 ? "task" : "deliver",
        label: `message ${index % 11}`,
        actor: `actor ${index % 8}`,
        from: `actor ${(index + 7) % 8}`,
        channel: `ch${index % 8}`,
        cause: index === 0 ? null : index,
        enabled: 3,
        draws: isChosen ? [{ label: "schedule", n: 3, answer: 2 }] : [],
        state: `state ${index % 4}`,
        bytes: `bytes ${index}`
      })
    })
  )
