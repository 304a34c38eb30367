import type { FaultHistory, FaultStep } from "../model/fault-history.ts"
import { makeFaultModel } from "../model/fault-model.ts"
import { type FaultClients, makeFaultClients, seenFault } from "./fault-clients.ts"
import type { FaultRun } from "./fault-run.ts"
import { type FaultWorld, startFaultWorld } from "./fault-world.ts"
import { settlePromises } from "./wait.ts"

/** Longer than any answer of the generators takes. */
const patienceMs = 4_000_000

/** More than any reader of the generators needs to read its answer. */
const readsMax = 20_000

/**
 * Runs a history in virtual time: its steps, then until all answers are out; then every client leaves and the server is
 * closed.
 *
 * **Fails** with what the server throws
 *
 * @since 0.1.0
 * @category running
 */
export const runFaultHistory = async (history: FaultHistory): Promise<FaultRun> => {
  const world = startFaultWorld(history)
  const clients = makeFaultClients(world, makeFaultModel(history))
  const watch = { closedAt: null as number | null, whenClosed: null as FaultRun["end"]["whenClosed"] }
  const follow = async (): Promise<void> => {
    world.look()
    const [closing] = world.closings
    if (closing === undefined) return
    if (watch.closedAt === null) {
      watch.closedAt = world.clock.now()
      closing.then(() => {
        watch.whenClosed = standing(world)
      })
    }
    await settlePromises()
  }
  for (const step of history.steps) {
    perform(step, world, clients)
    await follow()
  }
  world.clock.settle()
  await follow()
  const closedTimers = watch.whenClosed === null ? 0 : world.clock.armed()
  readOut(world, clients)
  await follow()
  const { closedAt } = watch
  const idleTimers = leaveAll(world, clients)
  world.close()
  world.close()
  world.clock.settle()
  await follow()
  return seenRun(history, world, clients, { closedAt, whenClosed: watch.whenClosed, closedTimers, idleTimers })
}

const perform = (step: FaultStep, world: FaultWorld, clients: FaultClients): void => {
  const { clock, server } = world
  switch (step.does) {
    case "ask":
      clients.ask(step.ask)
      break
    case "arrive":
      clients.arrive(step.client)
      break
    case "leave":
      clients.leave(step.client)
      break
    case "read":
      clients.read(step.client)
      break
    case "settle":
      clock.settle()
      break
    case "tick":
      if (clock.nextDue() <= clock.now()) clock.step()
      break
    case "advance":
      clock.advance(step.ms)
      break
    case "refuse":
      if (step.ms === null) server.refuse()
      else server.refuse({ ms: step.ms })
      break
    case "accept":
      server.accept()
      break
    case "close":
      world.close()
      break
  }
}

/** Nothing goes on but answers that stall with a heartbeat. */
const beats = ({ requests }: FaultWorld["server"]): boolean =>
  requests.every(({ outcome }) => outcome !== undefined) &&
  requests.some(({ behavior, outcome }) => behavior === "comment_stall" && outcome === "stalled")

/** Lets every answer come to its end, however slowly it is read. */
const readOut = ({ clock, server }: FaultWorld, { list }: FaultClients): void => {
  const slow = list.filter(({ windowBytes }) => windowBytes !== null)
  const received = (): number => slow.reduce((sum, { response }) => sum + response.pieces.length, 0)
  for (let reads = 0; reads < readsMax; reads++) {
    const before = received()
    for (const { response } of slow) response.read()
    clock.settle()
    if (received() !== before) continue
    if (clock.nextDue() === Number.POSITIVE_INFINITY) return
    // Heartbeats go on for as long as their clients stay.
    if (beats(server)) {
      clock.advance(patienceMs)
      return
    }
    clock.advance(Math.max(1, slow.length === 0 ? patienceMs : clock.nextDue() - clock.now()))
  }
  throw new Error(`the answers were not read after ${readsMax} reads`)
}

/** Every client leaves, and a port that refuses accepts again: then there is nothing to wait for. */
const leaveAll = ({ clock, server }: FaultWorld, clients: FaultClients): number => {
  clients.list.forEach((_, client) => {
    clients.leave(client)
  })
  server.accept()
  clock.settle()
  return clock.armed()
}

const standing = ({ server, told }: FaultWorld): FaultRun["end"]["whenClosed"] => ({
  records: server.requests.map(({ chunksSent, outcome }) => [chunksSent, outcome ?? null]),
  results: told.filter(({ event }) => event.type === "result").length
})

const seenRun = (
  history: FaultHistory,
  world: FaultWorld,
  clients: FaultClients,
  watch: Pick<FaultRun, "closedAt"> & Pick<FaultRun["end"], "whenClosed" | "closedTimers" | "idleTimers">
): FaultRun => {
  const { server, clock, http, told, moments, closings } = world
  const { closedAt, whenClosed, closedTimers, idleTimers } = watch
  return {
    history,
    faults: clients.list.map((client) => seenFault(world, client)),
    records: server.requests,
    unexpected: server.unexpected,
    told,
    moments,
    connects: clients.connects,
    drawLabels: world.draws.map(({ label }) => label),
    closedAt,
    toldWhenClosing: closedAt === null ? null : world.toldWhenClosing(),
    end: {
      idleTimers,
      closedTimers,
      timers: clock.armed(),
      connections: http.connections(),
      isRefusing: isRefusing(world),
      areClosingsOne: closings.every((closing) => closing === closings[0]),
      isClosed: whenClosed !== null,
      whenClosed
    }
  }
}

const isRefusing = ({ http }: FaultWorld): boolean => {
  try {
    http.connect()
    return false
  } catch {
    return true
  }
}
