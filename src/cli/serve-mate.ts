import type { MockInferenceServer } from "../index.ts"
import { type CommandIo, exitCodes, RunFailed } from "./command-io.ts"
import { type CrewMessage, isCrewOrder } from "./crew-messages.ts"
import { makeRedaction, type Redaction } from "./redaction.ts"
import type { ScenarioSession } from "./scenario-session.ts"
import { leftoversOf } from "./serve-leftovers.ts"
import type { ServeOptions } from "./serve-options.ts"
import { startOrFail } from "./start-or-fail.ts"

/** So many events may be on their way to the first process; what comes then is counted. */
const unsentMax = 10_000

/**
 * Serves as one of several processes, until the first one says that it is over, or is gone.
 *
 * @since 0.1.0
 * @category running
 */
export const serveAsMate = async (
  options: ServeOptions,
  { io, scenario }: { readonly io: CommandIo; readonly scenario: ScenarioSession }
): Promise<number> => {
  // Ctrl-C of a terminal comes here too, but when to stop is said by the first process.
  io.onSignal(() => {})
  const stopped = stopOrder()
  const tell = (message: CrewMessage): void => void process.send?.(message)
  const redaction = makeRedaction()
  const { token } = scenario.script()
  if (token !== null) redaction.add(token)
  const server = await started(options, { scenario, redaction, tell })
  if (server === null) {
    process.disconnect()
    return exitCodes.failed
  }
  tell({ type: "ready", url: server.url(), origin: server.origin() })
  await stopped
  const { blocked } = await server.close()
  const leftovers = scenario.script().isStrict ? leftoversOf(server, redaction) : null
  await new Promise<void>((told) => {
    process.send?.({ type: "closed", blocked, leftovers } satisfies CrewMessage, () => told())
  })
  process.disconnect()
  return exitCodes.ok
}

/** When the first process is gone Node ends this one. */
const stopOrder = (): Promise<void> =>
  new Promise((resolve) => {
    process.on("message", (order: unknown) => {
      if (isCrewOrder(order)) resolve()
    })
  })

interface StartingMate {
  readonly scenario: ScenarioSession
  readonly redaction: Redaction
  readonly tell: (message: CrewMessage) => void
}

const started = async (
  { host, port, log, trace }: ServeOptions,
  { scenario, redaction, tell }: StartingMate
): Promise<MockInferenceServer | null> => {
  const areEventsWanted = log !== undefined || trace !== undefined || scenario.script().isStrict
  const see = areEventsWanted ? eventTeller() : null
  try {
    return await startOrFail({
      host,
      port,
      script: scenario.script(),
      prepare(controls) {
        scenario.start(controls)
        if (see !== null) controls.watchTrace((event) => see({ type: "event", event: redaction.event(event) }))
      }
    })
  } catch (error) {
    if (!(error instanceof RunFailed)) throw error
    tell({ type: "failed", message: error.message, details: error.details })
    return null
  }
}

/** Tells events as fast as they are taken. */
const eventTeller = (): ((message: CrewMessage) => void) => {
  let unsent = 0
  let lost = 0
  const send = (message: CrewMessage): void => {
    unsent++
    process.send?.(message, () => {
      unsent--
    })
  }
  return (message) => {
    if (unsent >= unsentMax) {
      lost++
      return
    }
    if (lost > 0) send({ type: "lost", events: lost })
    lost = 0
    send(message)
  }
}
