import { InvalidOption, StartFailed } from "../domain/errors.ts"
import { makeTrace, traceBoundsDefault } from "../kernel/trace.ts"
import type { ListenAddress } from "../ports/http-port.ts"
import { makeHttpApp } from "../serving/http-app.ts"
import { startListener } from "../serving/listener.ts"
import { serverClock } from "../serving/server-clock.ts"
import type { ServerPorts } from "../serving/server-ports.ts"
import { makeSupervisor } from "../supervisor/supervisor.ts"
import { checkServerOptions } from "./check-options.ts"
import { makeFacade } from "./facade.ts"
import { makeInferenceCore } from "./inference-core.ts"
import { logBoundsDefault } from "./request-log.ts"
import type { MockInferenceServer, ServerControls, ServerOptions, ServerPreset } from "./server-api.ts"
import { makeServerState } from "./server-state.ts"

/**
 * Starts a mock inference server in either world.
 *
 * **Fails** by `failed` with `StartFailed`; by throwing `InvalidOption` before anything is bound
 *
 * @since 0.1.0
 * @category constructors
 */
export const startServer = (
  ports: ServerPorts,
  options: ServerOptions & ServerPreset,
  report: { readonly started: (server: MockInferenceServer) => void; readonly failed: (error: StartFailed) => void }
): void => {
  checkServerOptions(options)
  const { clock, http, lifetime } = ports
  const trace = makeTrace(clock, { ...traceBoundsDefault, ...definedBounds(options) })
  const supervisor = makeSupervisor({ clock, trace, guardClock: ports.guardClock ?? clock })
  const state = makeServerState({
    profile: options.profile ?? "full",
    models: options.models,
    token: options.token ?? null,
    isStrict: options.strict ?? false
  })
  const core = makeInferenceCore({
    supervisor,
    trace,
    state,
    wallMs: clock.wallMs,
    ...(options.faultHeader === undefined ? {} : { faultHeader: options.faultHeader }),
    ...(options.sessions === undefined ? {} : { sessions: options.sessions }),
    logBounds: { ...logBoundsDefault, ...definedBounds(options) },
    ...(options.bodyBytesMax === undefined ? {} : { bodyBytesMax: options.bodyBytesMax })
  })
  const app = makeHttpApp({ supervisor, lifetime, route: core.route })
  const address: ListenAddress = { host: options.host ?? "127.0.0.1", port: options.port ?? 0 }
  const facade = makeFacade({ core, app, trace, clock: serverClock(ports) })
  prepareServer(options, facade.controls)
  const listener = startListener({
    supervisor,
    http,
    app,
    address,
    beforeEnd: facade.noteBlocked,
    report: {
      // Reported outside the step: what the caller does next must not run inside it.
      listening(bound) {
        clock.arm(0, "started", () => report.started(facade.open(bound, listener)))
      },
      failed(reason) {
        facade.closed()
        report.failed(new StartFailed(`cannot serve on ${address.host}:${address.port}: ${reason}`))
      },
      closed: () => {
        lifetime.end()
        facade.closed()
      }
    }
  })
}

/** The bounds that were given, without those left `undefined`. */
const definedBounds = (options: ServerOptions): Partial<ServerOptions> =>
  Object.fromEntries(Object.entries(options).filter(([name, value]) => name.endsWith("Max") && value !== undefined))

/** Runs what the caller wants done before the port is open; it cannot be waited for. */
const prepareServer = ({ prepare }: ServerOptions, controls: ServerControls): void => {
  const given: unknown = prepare?.(controls)
  if (given instanceof Promise) {
    given.catch(() => {})
    throw new InvalidOption("prepare gives a promise; it must do all it does at once, before the port is bound")
  }
}
