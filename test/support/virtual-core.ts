import { Effect } from "effect"
import { endpointPaths } from "../../src/domain/endpoint.ts"
import { makeInferenceCore } from "../../src/inference/inference-core.ts"
import { logBoundsDefault } from "../../src/inference/request-log.ts"
import { makeServerState } from "../../src/inference/server-state.ts"
import { makeTrace } from "../../src/kernel/trace.ts"
import { makeVirtualClock } from "../../src/kernel/virtual-clock.ts"
import { makeHttpApp } from "../../src/serving/http-app.ts"
import { makeVirtualHttp } from "../../src/sim/virtual-http.ts"
import { makeLifetime } from "../../src/supervisor/lifetime.ts"
import { makeSupervisor } from "../../src/supervisor/supervisor.ts"
import { jsonRequest } from "./requests.ts"

/** The inner parts of a virtual server, for tests that count what is held. */
export const startCore = () => {
  const clock = makeVirtualClock()
  const trace = makeTrace(clock)
  const supervisor = makeSupervisor({ clock, trace })
  const state = makeServerState({ profile: "compact", models: undefined, token: null })
  const core = makeInferenceCore({ supervisor, trace, state, wallMs: clock.wallMs, logBounds: logBoundsDefault })
  const app = makeHttpApp({ supervisor, lifetime: makeLifetime(Effect.runSync), route: core.route })
  const http = makeVirtualHttp(clock)
  http.listen({ host: "127.0.0.1", port: 0 }, app, { bound: () => {}, failed: () => {}, lost: () => {} })
  clock.settle()
  const turn = (id: string, options?: { readonly windowBytes: number }) => {
    const connection = http.connect(options)
    const headers = [
      ["x-grok-req-id", id],
      ["x-grok-turn-idx", "1"]
    ] as const
    const response = connection.request(jsonRequest(endpointPaths.ChatCompletions, {}, headers))
    clock.settle()
    return { response, leave: connection.disconnect }
  }
  return { clock, supervisor, state, core, app, http, turn }
}
