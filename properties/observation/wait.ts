import type { ExpectationHandle } from "../../src/inference/expectation-handle.ts"
import { barrierName, type Command } from "../model/command.ts"
import type { SeenWait, Wanted } from "./observations.ts"
import type { World } from "./world.ts"

/** Starts one wait of each kind on a handle. */
export const startWaits = (world: World, expectation: number, barriers: ReadonlyArray<string>): void => {
  const handle = world.handles[expectation]?.handle
  if (handle === undefined) return
  const wanted: ReadonlyArray<Wanted> = [
    "received",
    "blocked",
    "satisfied",
    "claims 1",
    "claims 2",
    ...barriers.map((name) => `barrier ${name}`)
  ]
  for (const one of wanted) note(world, start(handle, one), { expectation, wanted: one })
}

/** The names of the barriers that a command registers. */
export const barriersOf = (command: Command): ReadonlyArray<string> =>
  command.type === "register" ? command.barriers.map(barrierName) : []

const start = (handle: ExpectationHandle, wanted: Wanted): Promise<void> => {
  const [what = "", name = ""] = wanted.split(" ")
  switch (what) {
    case "received":
      return handle.waitReceived()
    case "blocked":
      return handle.waitBlocked()
    case "satisfied":
      return handle.waitSatisfied()
    case "claims":
      return handle.waitClaims(Number(name))
    default:
      return handle.waitBlocked(name)
  }
}

const note = (
  world: World,
  wait: Promise<void>,
  what: { readonly expectation: number; readonly wanted: Wanted }
): void => {
  const index = world.waits.length
  const started: SeenWait = { ...what, startedAt: world.done.length, settledAt: null, outcome: "waiting" }
  world.waits.push(started)
  const settle = (outcome: string): void => {
    world.waits[index] = { ...started, settledAt: world.done.length, outcome }
  }
  wait.then(
    () => settle("reached"),
    (error: unknown) => settle(error instanceof Error ? error.message : String(error))
  )
}

/** More hops than any wait of ours takes. */
const hopsMax = 8

/** Lets promises that are ready tell so. */
export const settlePromises = async (): Promise<void> => {
  for (let hop = 0; hop < hopsMax; hop++) await null
}
