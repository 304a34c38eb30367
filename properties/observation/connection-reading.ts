import type { Framing } from "../../src/proxy/framing/framing.ts"
import type { Direction } from "../../src/proxy/plan/fault-program.ts"
import type { FramePart } from "../../src/wire/frames/frame-reader.ts"
import { type FrameVisitor, visitReader, type Wishes } from "./frame-reading.ts"

/** One direction of a connection: its chunks, and what is wanted of them. */
export interface DirectionInput {
  readonly chunks: ReadonlyArray<Uint8Array>
  readonly wishes: Wishes
}

/** What a direction gave. */
export interface DirectionOutput {
  readonly visitor: FrameVisitor
  readonly rest: FramePart | null
  readonly openBytes: number
  readonly problem: string | null
}

const directions = ["clientToLeader", "leaderToClient"] as const

/**
 * Reads both directions of a connection as a proxy does, the chunks in the order of `turns`: a direction is asked when it was fed, or
 * woken, and ended when its input is at its end and it waits for nothing.
 */
export const readConnection = (
  framing: Framing,
  inputs: Readonly<Record<Direction, DirectionInput>>,
  turns: ReadonlyArray<Direction>
): Readonly<Record<Direction, DirectionOutput>> => {
  const woken = new Set<Direction>()
  const readers = framing.open({ woken: (direction) => woken.add(direction) })
  const ends: Partial<Record<Direction, { readonly rest: FramePart | null; readonly openBytes: number }>> = {}
  const left = {
    clientToLeader: [...inputs.clientToLeader.chunks],
    leaderToClient: [...inputs.leaderToClient.chunks]
  }
  const visitors = {
    clientToLeader: visitReader(readers.clientToLeader, inputs.clientToLeader.wishes),
    leaderToClient: visitReader(readers.leaderToClient, inputs.leaderToClient.wishes)
  }
  const go = (direction: Direction): void => {
    visitors[direction].drain()
    const reader = readers[direction]
    if (left[direction].length === 0 && ends[direction] === undefined && reader.isWaiting?.() !== true) {
      const openBytes = reader.openBytes()
      ends[direction] = { openBytes, rest: reader.end() }
    }
    for (const other of woken) {
      woken.delete(other)
      go(other)
    }
  }
  const feed = (direction: Direction): void => {
    const chunk = left[direction].shift()
    if (chunk === undefined) return
    visitors[direction].feed(chunk)
    go(direction)
  }
  for (const direction of turns) feed(direction)
  for (const direction of directions) while (left[direction].length > 0) feed(direction)
  const outputOf = (direction: Direction): DirectionOutput => ({
    visitor: visitors[direction],
    rest: ends[direction]?.rest ?? null,
    openBytes: ends[direction]?.openBytes ?? -1,
    problem: readers[direction].failure()?.message ?? (ends[direction] === undefined ? "waits for ever" : null)
  })
  return { clientToLeader: outputOf("clientToLeader"), leaderToClient: outputOf("leaderToClient") }
}
