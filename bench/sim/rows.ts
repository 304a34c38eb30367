import type { BenchRow } from "../shared/bench.ts"

/** The rows, in the order of the table. */
export const rows: Readonly<Record<string, BenchRow>> = {
  "same-seed": {
    title: "Same seed, one hash",
    load: async () => (await import("./rows/same-seed.ts")).measureSameSeed
  },
  "two-sdks": {
    title: "Two unmodified SDKs, in-memory fetch (L0)",
    load: async () => (await import("./rows/two-sdks.ts")).measureTwoSdks
  },
  "real-parsers": {
    title: "Real parsers over simulated sockets (L2)",
    load: async () => (await import("./rows/real-parsers.ts")).measureRealParsers
  },
  kernel: {
    title: "Kernel deliveries, trace and hash on",
    load: async () => (await import("./rows/kernel-deliveries.ts")).measureKernelDeliveries
  },
  charts: {
    title: "Steps of compiled charts",
    load: async () => (await import("./rows/chart-steps.ts")).measureChartSteps
  },
  shrink: {
    title: "A failure of five clients made small",
    load: async () => (await import("./rows/shrink-five-clients.ts")).measureShrinking
  },
  exhaustive: {
    title: "Claim, replay and barrier, all orders of three clients",
    load: async () => (await import("./rows/exhaustive.ts")).measureExhaustive
  },
  corpus: {
    title: "Public bugs found by the default strategy",
    load: async () => (await import("./rows/corpus.ts")).measureCorpus
  },
  "corpus-fixed": {
    title: "Clients that do not have those bugs",
    load: async () => (await import("./rows/corpus-fixed.ts")).measureFixedClients
  },
  racing: {
    title: "Racing retries, the example of the README",
    load: async () => (await import("./rows/racing-retries.ts")).measureRacingRetries
  },
  effect: {
    title: "Programs written in Effect",
    load: async () => (await import("./rows/effect-sleeps.ts")).measureEffectSleeps
  },
  overhead: {
    title: "What determinism costs",
    load: async () => (await import("./rows/overhead.ts")).measureOverhead
  }
}
