import type { StreamAddress } from "../../../src/ports/stream-port.ts"
import { connect, right, type StreamWorld, type WatchedSocket } from "../../ports/stream-world.ts"

export interface Answer {
  readonly id?: unknown
  readonly ok: boolean
  readonly error?: string
  readonly result?: unknown
}

/** The answers that have come whole. */
export const answersOf = (socket: WatchedSocket): ReadonlyArray<Answer> =>
  socket
    .text()
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line))

/** Waits until so many answers have come. */
export const answers = async (
  world: StreamWorld,
  socket: WatchedSocket,
  count: number
): Promise<ReadonlyArray<Answer>> => {
  while (socket.text().split("\n").length <= count) await world.settled(socket.has(socket.received() + 1))
  return answersOf(socket)
}

/** A client of a control socket that asks one thing after the other. */
export const commander = async (world: StreamWorld, address: StreamAddress) => {
  const socket = right(await world.settled(connect(world.streams, address)))
  let asked = 0
  /** Gives what is answered to a request, whatever else is answered meanwhile. */
  const ask = async (request: object): Promise<Answer> => {
    const id = ++asked
    await world.settled(socket.write(`${JSON.stringify({ id, ...request })}\n`))
    for (let count = 1; ; count++) {
      const found = (await answers(world, socket, count)).find((answer) => answer.id === id)
      if (found !== undefined) return found
    }
  }
  return { socket, ask }
}
