import { InvalidOption } from "../domain/errors.ts"
import { isRecord } from "../domain/json.ts"
import {
  aFunction,
  check,
  checkOption,
  members,
  type OptionCheck,
  recordOf,
  shown,
  yesOrNo
} from "../domain/option-checks.ts"
import { serverReleaseMs } from "../domain/scope-limits.ts"
import type { HarnessRoom } from "../harness/api/harness-room.ts"
import type { HarnessRun } from "../harness/api/harness-run.ts"
import type { CoreScope } from "../harness/api/harness-scope.ts"
import { redactedOutput } from "../harness/diagnostics/sanitised-output.ts"
import type { MockInferenceServer, ServerOptions, ServerPreset } from "../inference/server-api.ts"
import { liveClock } from "../live/clock.ts"
import { liveFiles } from "../live/files.ts"
import { liveLocks } from "../live/lock-table.ts"
import { sandboxBaseFolder, thisProcess } from "../live/parent-process.ts"
import { makeLiveProcesses } from "../live/processes.ts"
import { removeAtOnce } from "../live/remove-at-once.ts"
import { newRunId } from "../live/run-id.ts"
import { makeLiveStreams } from "../live/stream-sockets.ts"
import { timeoutScale } from "../live/timeout-scale.ts"

/** How a harness is opened. */
export interface HarnessOptions {
  /** Variables besides those of this process, for finding programs and for what children get of it. */
  readonly variables?: Readonly<Record<string, string>>
  /**
   * Whether a small process stands by that kills what was started should this one be killed by SIGKILL. Default: where there is a
   * POSIX shell, from the first start on. `true`: from the beginning, so that what is being started then is covered too.
   */
  readonly watchdog?: boolean
  /**
   * Whether what was started is killed at once when this process is told to end by a signal. Default `true`. A program that closes
   * the harness when a signal comes, or takes it for something else, says `false`; when it exits all is killed in any case.
   */
  readonly heedsSignals?: boolean
  /** Whether a line is said of how long `initialize`, `session/new`, prompts and runs took. Default `true`. */
  readonly timing?: boolean
  /** Where lines for people go: durations, warnings, sandboxes that are kept. Default: stderr. */
  readonly tell?: (line: string) => void
}

/** A lifetime in which agents, servers and sandboxes are started; see `CoreScope`. */
export interface HarnessScope extends CoreScope {
  /** Starts a mock model provider. **Fails** with `StartFailed`, `InvalidOption` */
  startMock(options?: ServerOptions & ServerPreset): Promise<MockInferenceServer>
  scope(name: string): HarnessScope
}

/** The outermost lifetime. */
export interface Harness extends HarnessScope, HarnessRun {}

/**
 * Opens a harness. Use it with `await using`, or close it.
 *
 * **Source** agent-harness.md, section 7.6
 *
 * @since 0.1.0
 * @category constructors
 */
export const startHarness = async (options: HarnessOptions = {}): Promise<Harness> => {
  checkOption(harnessOptions, options)
  return (await open(options)).harness
}

/**
 * Runs a body with a harness that is closed when the body is over. What the body fails with stays what this fails with; what goes
 * wrong after that is said, and kept: see `failureDetails`.
 *
 * **Takes** `signal`: interrupts the body, and gives everything back
 * **Fails** with what the body fails with, with `Cancelled` when it was interrupted, and as `Harness.close` does
 *
 * @since 0.1.0
 * @category running
 */
export const withHarness = async <A>(
  body: (harness: Harness) => Promise<A>,
  choice: HarnessOptions & { readonly signal?: AbortSignal } = {}
): Promise<A> => {
  checkOption(aFunction, body, "the body")
  checkOption(insideOptions, choice)
  const { signal, ...options } = choice
  const [{ harness, tell }, { inside }] = await Promise.all([open(options), import("../harness/api/inside.ts")])
  const { close, transitions } = harness
  return inside({ close, transitions, tell, signal }, () => body(harness))
}

const rows: Readonly<Record<keyof HarnessOptions, OptionCheck>> = {
  // What they hold may be a secret.
  variables: recordOf((value, path) => (typeof value === "string" ? null : `${path} is no text; give a text`)),
  watchdog: yesOrNo,
  heedsSignals: yesOrNo,
  timing: yesOrNo,
  tell: aFunction
}
const harnessOptions = members(rows)
const insideOptions = members({ ...rows, signal: check((value) => value instanceof AbortSignal, "an AbortSignal") })

const open = async (options: HarnessOptions) => {
  const { variables = {}, watchdog, heedsSignals, timing = true } = options
  const { tell = (line) => void process.stderr.write(`${line}\n`) } = options
  // What charts are made of is loaded when the first harness is opened.
  const { openHarness } = await import("../harness/api/open-harness.ts")
  const parent = { ...thisProcess(), variables: { ...thisProcess().variables, ...variables } }
  let folders = (): ReadonlyArray<string> => []
  const { room, scope, run } = openHarness({
    clock: liveClock,
    processes: makeLiveProcesses({
      ...(watchdog === undefined ? {} : { watchdog }),
      ...(heedsSignals === undefined ? {} : { heedsSignals }),
      tidy: () => removeAtOnce(folders())
    }),
    files: liveFiles,
    streams: makeLiveStreams(),
    locks: liveLocks,
    parent,
    baseFolder: sandboxBaseFolder(),
    runId: newRunId(),
    redact: redactedOutput,
    timeoutScale,
    tell,
    showsTiming: timing
  })
  if (parent.variables["HARNESS_KEEP_SANDBOX"] !== "1") folders = room.watch.folders
  return { harness: { ...withMocks(scope, room), ...run }, tell }
}

/** The mock is loaded when the first one is started. */
const withMocks = (scope: CoreScope, room: HarnessRoom): HarnessScope => ({
  ...scope,
  async startMock(options = {}) {
    if (!isRecord(options)) throw new InvalidOption(`the options are ${shown(options)}; give an object`)
    const { MockInferenceServer } = await import("../index.ts")
    let closed = (): void => {}
    const { value, forget } = await scope.acquire("mock server", {
      start: async () => {
        const server = await MockInferenceServer.start(options)
        closed = room.watch.listening(`mock server ${server.url()}`)
        return server
      },
      release: async (server) => {
        await server.close()
        closed()
      },
      boundMs: serverReleaseMs
    })
    return heldMock(value, () => {
      closed()
      forget()
    })
  },
  scope: (name) => withMocks(scope.scope(name), room)
})

/** One that is closed by hand is forgotten. */
const heldMock = (server: MockInferenceServer, gone: () => void): MockInferenceServer => {
  const { close, [Symbol.asyncDispose]: dispose } = server
  const seen = <A>(closing: Promise<A>): Promise<A> => {
    closing.then(gone, () => {})
    return closing
  }
  return Object.assign(server, {
    close: (options?: { readonly drainMs?: number }) => seen(close(options)),
    [Symbol.asyncDispose]: () => seen(dispose())
  })
}
