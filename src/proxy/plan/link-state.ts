import { InvalidOption } from "../../domain/errors.ts"
import { type Direction, directions } from "./fault-program.ts"

/**
 * What a test has changed while the proxy runs, besides its rules: data, so that a run can be told and compared.
 *
 * @since 0.1.0
 * @category models
 */
export interface LinkState {
  /** Directions that a partition cuts for every connection, those to come too. */
  readonly partitioned: ReadonlyArray<Direction>
  /** Directions that are not read: `direction` for every connection, `connection/direction` for one. */
  readonly paused: ReadonlyArray<string>
  /** Barriers that are open for good, at most 10,000. */
  readonly released: ReadonlyArray<string>
  /** Connections from which nothing comes any more. */
  readonly vanished: ReadonlyArray<number>
}

/** One way through one connection, which counts from 1. */
export interface LinkPlace {
  readonly direction: Direction
  readonly connection: number
}

/** Nothing cut, paused or released. */
export const wholeLink: LinkState = { partitioned: [], paused: [], released: [], vanished: [] }

const having = <A>(list: ReadonlyArray<A>, items: ReadonlyArray<A>): ReadonlyArray<A> => [
  ...list,
  ...items.filter((item) => !list.includes(item))
]

/** Cuts directions, both by default, until they are healed. What was read is not lost: it goes on then. */
export const partition = (state: LinkState, cut: ReadonlyArray<Direction> = directions): LinkState => ({
  ...state,
  partitioned: having(state.partitioned, cut)
})

/** Ends partitions; pauses and what has vanished stay. */
export const heal = (state: LinkState, healed: ReadonlyArray<Direction> = directions): LinkState => ({
  ...state,
  partitioned: state.partitioned.filter((direction) => !healed.includes(direction))
})

const pauseName = (direction: Direction, connection: number | null): string =>
  connection === null ? direction : `${connection}/${direction}`

/** Stops reading a direction, of one connection or of all (`null`); so does `stall` when its frame has gone. */
export const pause = (state: LinkState, direction: Direction, connection: number | null = null): LinkState => ({
  ...state,
  paused: having(state.paused, [pauseName(direction, connection)])
})

/** Reads it again; for all connections, those that stalled one by one, too. */
export const resume = (state: LinkState, direction: Direction, connection: number | null = null): LinkState => ({
  ...state,
  paused: state.paused.filter((name) =>
    connection === null
      ? name !== direction && !name.endsWith(`/${direction}`)
      : name !== pauseName(direction, connection)
  )
})

/** So many barriers may be opened: an open one is never forgotten, or frames would wait at it again. */
export const releasedMax = 10_000

/** **Fails** with `InvalidOption` when these barriers, each of which may be opened one day, are too many */
export const checkBarriers = (barriers: ReadonlyArray<string>): void => {
  if (barriers.length <= releasedMax) return
  const { size } = new Set(barriers)
  if (size <= releasedMax) return
  const advice = "start another proxy to have more"
  throw new InvalidOption(
    `${size} barriers are open or named by rules; a proxy opens at most ${releasedMax}: ${advice}`
  )
}

/** Whether a barrier has been opened. */
export const isReleased = (state: LinkState, barrier: string): boolean => state.released.includes(barrier)

/**
 * Opens a barrier for good, whether frames wait at it or not.
 *
 * **Fails** with `InvalidOption` when too many are open
 */
export const release = (state: LinkState, barrier: string): LinkState => {
  if (isReleased(state, barrier)) return state
  if (state.released.length >= releasedMax) checkBarriers([...state.released, barrier])
  return { ...state, released: [...state.released, barrier] }
}

/** Lets a connection fall silent both ways; what it sends is read and thrown away. */
export const vanish = (state: LinkState, connection: number): LinkState => ({
  ...state,
  vanished: having(state.vanished, [connection])
})

/** Forgets what is about a connection that is closed, so that the state does not grow; gives the same state where there is nothing. */
export const forgetConnection = (state: LinkState, connection: number): LinkState => {
  const paused = state.paused.filter((name) => !name.startsWith(`${connection}/`))
  const vanished = state.vanished.filter((other) => other !== connection)
  const isSame = paused.length === state.paused.length && vanished.length === state.vanished.length
  return isSame ? state : { ...state, paused, vanished }
}

/** What a pump does with its source: read and forward, leave it unread, or read and throw away. */
export const flowOf = (state: LinkState, { direction, connection }: LinkPlace): "open" | "stopped" | "silent" => {
  if (state.vanished.includes(connection)) return "silent"
  const isPaused = state.paused.includes(direction) || state.paused.includes(pauseName(direction, connection))
  return isPaused || state.partitioned.includes(direction) ? "stopped" : "open"
}

/** The barriers at which a frame waits still. */
export const closedBarriers = (state: LinkState, barriers: ReadonlyArray<string>): ReadonlyArray<string> =>
  barriers.filter((barrier) => !isReleased(state, barrier))
