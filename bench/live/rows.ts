import type { BenchRow } from "../shared/bench.ts"

/** The rows, in the order of the table. */
export const rows: Readonly<Record<string, BenchRow>> = {
  completions: {
    title: "Servers, small completions",
    load: async () => (await import("./rows/server-throughput.ts")).measureCompletions
  },
  streams: {
    title: "Servers, streams of 50 chunks",
    load: async () => (await import("./rows/server-throughput.ts")).measureStreams
  },
  "new-connections": {
    title: "Servers, 256 new connections at once",
    load: async () => (await import("./rows/server-new-connections.ts")).measureNewConnections
  },
  start: {
    title: "Servers, start",
    load: async () => (await import("./rows/server-start.ts")).measureStart
  },
  memory: {
    title: "Servers, memory",
    load: async () => (await import("./rows/server-memory.ts")).measureServerMemory
  },
  install: {
    title: "Installed size",
    load: async () => (await import("./rows/installed-size.ts")).measureInstalledSize
  },
  "growth-pending": {
    title: "Growth: pending expectations",
    load: async () => (await import("./rows/growth-pending.ts")).measurePending
  },
  "growth-copies": {
    title: "Growth: streams in flight",
    load: async () => (await import("./rows/growth-copies.ts")).measureCopies
  },
  "growth-log": {
    title: "Growth: size of the log",
    load: async () => (await import("./rows/growth-log.ts")).measureLog
  },
  "growth-bodies": {
    title: "Growth: bodies of requests",
    load: async () => (await import("./rows/growth-bodies.ts")).measureBodies
  },
  "growth-events": {
    title: "Growth: events of a stream",
    load: async () => (await import("./rows/growth-events.ts")).measureEvents
  },
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
