import { listedChoice } from "../../src/kernel/choice-sources.ts"
import { startVirtualServer, type VirtualServer } from "../../src/sim.ts"
import { type History, requiredKey, type Setup, type Step } from "../model/command.ts"
import { type Call, callsOf } from "./calls.ts"
import { seenExchange } from "./client.ts"
import { drain, runOut } from "./drain.ts"
import type { Observations } from "./observations.ts"
import { perform } from "./perform.ts"
import { barriersOf, settlePromises, startWaits } from "./wait.ts"
import { makeWorld, momentOf, type World } from "./world.ts"

/**
 * How a history is run.
 *
 * @since 0.1.0
 * @category models
 */
export interface RunOptions {
  /** Starts the server; by default ours, in a virtual world of its own. */
  readonly start?: (history: History) => VirtualServer
  /** Called before each command: what happens elsewhere in the same world. */
  readonly beside?: (step: number) => void
}

/**
 * Runs a history against a server in virtual time. At its end, unless it closed the server itself, everything is opened and
 * read, whatever is queued or pending is asked for, and the server is closed.
 *
 * **Gives** what was seen; it never rejects for what the server did
 *
 * @since 0.1.0
 * @category running
 */
export const runHistory = async (history: History, options: RunOptions = {}): Promise<Observations> => {
  const world = makeWorld((options.start ?? startFor)(history), history.steps)
  await (history.choices === null
    ? runCalls(world, history.steps, options.beside ?? (() => {}))
    : runEvents(world, history.steps))
  if (world.closing === null) await drain(world)
  await runOut(world)
  for (const { number, command } of registrations(world)) startWaits(world, number, barriersOf(command))
  await settlePromises()
  return observationsOf(world)
}

/** The server that a setup asks for, in a world of its own. */
export const startFor = ({ setup, choices }: Pick<History, "setup" | "choices">): VirtualServer =>
  startVirtualServer({ ...serverOptions(setup), ...(choices === null ? {} : { choice: listedChoice(choices) }) })

export const serverOptions = ({ profile, requiresKey, logEntriesMax }: Setup) => ({
  profile,
  logEntriesMax,
  ...(requiresKey ? { token: requiredKey } : {})
})

/** The test calls; time stands still but when it says so. */
const runCalls = async (world: World, steps: ReadonlyArray<Step>, beside: (step: number) => void): Promise<void> => {
  for (const [index, call] of callsOf(steps.map(({ command }) => command)).entries()) {
    const after = steps[index]?.after ?? "turn"
    if (after !== "turn") world.virtual.clock.advance(after)
    await settlePromises()
    beside(index)
    perform(world, call, after !== "turn")
    waitAround(world, call)
    await settlePromises()
  }
}

/** The commands are events of the clock, beside those of the server. */
const runEvents = async (world: World, steps: ReadonlyArray<Step>): Promise<void> => {
  const { clock } = world.virtual
  let left = steps.length
  let at = 0
  for (const [index, call] of callsOf(steps.map(({ command }) => command)).entries()) {
    const after = steps[index]?.after ?? "turn"
    if (after !== "turn") at += after
    clock.arm(at, "client", () => {
      left--
      perform(world, call, false)
      waitAround(world, call)
    })
  }
  while (left > 0 && clock.step()) await settlePromises()
}

/** After this many commands an older handle is waited on once more. */
const lateWaitsEvery = 3

/** Waits on what was just registered, and on one older handle in turn. */
const waitAround = (world: World, { command, number }: Call): void => {
  const registered = registrations(world)
  if (command.type === "register") startWaits(world, number, barriersOf(command))
  const turn = world.done.length
  const older =
    turn % lateWaitsEvery === 0 ? registered[(turn / lateWaitsEvery) % Math.max(1, registered.length)] : undefined
  if (older !== undefined) startWaits(world, older.number, barriersOf(older.command))
}

const registrations = ({ done }: World): ReadonlyArray<Call> =>
  done.filter(({ command }) => command.type === "register")

const observationsOf = (world: World): Observations => {
  const { clock, http, server } = world.virtual
  return {
    commands: world.done,
    expectations: world.handles.map((watched) => {
      if (watched === null) return null
      const { name, registeredIndex, phases, handle } = watched
      return { name, registeredIndex, phases, phase: handle.phase, claims: handle.claims }
    }),
    exchanges: world.clients.map((client) => (client === null ? null : seenExchange(client, world.trace))),
    waits: world.waits,
    trace: world.trace,
    log: server.requests(),
    end: {
      isClosed: world.closing !== null && world.closing !== "asked",
      blocked: world.closing === null || world.closing === "asked" ? [] : world.closing.blocked,
      closedAt: world.trace.find((event) => event.type === "closed")?.at ?? null,
      armedTimers: clock.armed(),
      connections: http.connections(),
      isRefusing: isRefusing(world),
      moment: momentOf(world),
      at: clock.now()
    }
  }
}

const isRefusing = ({ virtual: { http } }: World): boolean => {
  try {
    http.connect().disconnect()
    return false
  } catch {
    return true
  }
}
