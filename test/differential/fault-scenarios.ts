import type { FaultName, FaultOptions } from "../../src/faults.ts"
import type { TraceEvent } from "../../src/index.ts"
import { ask, traced } from "./asking.ts"
import type { Scenario } from "./stage.ts"

/** Live they take their time really. */
export const quick: FaultOptions = { chunkDelayMs: 1, disconnectDelayMs: 1, headDelayMs: 1, heartbeatMs: 60_000 }

/** Resets, ends, half-closes, trickles, garbage, cuts, errors; none that is silent for ever. */
export const faultsOfBoth: ReadonlyArray<FaultName> = [
  "connection_reset",
  "stream_disconnect",
  "partial_disconnect",
  "half_close",
  "slow_success",
  "slow_head",
  "garbage",
  "html_page",
  "malformed_event",
  "wrong_content_type",
  "bad_chunk_framing",
  "length_mismatch",
  "split_utf8",
  "split_crlf",
  "cut_at_event",
  "cut_in_character",
  "cut_before_done",
  "duplicate_done",
  "empty",
  "empty_body",
  "rate_limit",
  "retry_after_date",
  "overloaded"
]

const catalogue =
  (resetMode: "fin" | "rst", stream: boolean): Scenario =>
  async (stage) => {
    for (const endpoint of ["ChatCompletions", "Responses", "Messages"] as const) {
      const server = await stage.startFaultServer({ sequence: faultsOfBoth, resetMode, ...quick })
      for (const _ of faultsOfBoth) await ask(stage, "ann", server.baseURL, { endpoint, stream })
    }
  }

const lanes: Scenario = async (stage) => {
  const server = await stage.startFaultServer({
    lanes: {
      by: ["header:x-lane"],
      scripts: {
        ann: { sequence: ["rate_limit", "success"] },
        bob: { sequence: ["connection_reset", "tool_call_success"] }
      }
    },
    ...quick
  })
  for (const lane of ["ann", "bob", "ann", "bob", "ann"])
    await ask(stage, lane, server.baseURL, { headers: { "x-lane": lane } })
}

const silences: Scenario = async (stage) => {
  const server = await stage.startFaultServer({ sequence: ["no_response", "partial_stall", "success"], ...quick })
  const isLetGo = (event: TraceEvent): boolean => event.type === "step" && event.event === "client.gone"
  const patience = new AbortController()
  const first = ask(stage, "ann", server.baseURL, { stream: true, signal: patience.signal })
  await traced(server, ({ type }) => type === "ended")
  patience.abort()
  await first
  await traced(server, isLetGo)
  const told = server.traceEvents().length
  await ask(stage, "bob", server.baseURL, { stream: true, leavesAt: '"se"' })
  await traced(server, (event) => event.index >= told && isLetGo(event))
  await ask(stage, "ann", server.baseURL, { stream: true })
}

/** By what they are about. */
export const faultScenarios: Readonly<Record<string, Scenario>> = {
  "streams that are dropped by FIN": catalogue("fin", true),
  "streams that are dropped by RST": catalogue("rst", true),
  "replies that are dropped by FIN": catalogue("fin", false),
  "replies that are dropped by RST": catalogue("rst", false),
  "lanes of a fault server": lanes,
  "silences of a fault server that clients leave": silences
}
