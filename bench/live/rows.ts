import type { BenchRow } from "../shared/bench.ts"

/** The rows, in the order of the table. */
export const rows: Readonly<Record<string, BenchRow>> = {
  "proxy-unix": {
    title: "Fault proxy, bytes per second over Unix sockets",
    load: async () => (await import("./rows/proxy-throughput.ts")).measureUnixThroughput
  },
  "proxy-tcp": {
    title: "Fault proxy, bytes per second over TCP",
    load: async () => (await import("./rows/proxy-throughput.ts")).measureTcpThroughput
  },
  "proxy-round-trips": {
    title: "Fault proxy, one frame to and fro at a time",
    load: async () => (await import("./rows/proxy-round-trips.ts")).measureRoundTrips
  },
  "proxy-memory": {
    title: "Fault proxy, memory",
    load: async () => (await import("./rows/proxy-memory.ts")).measureProxyMemory
  }
}
