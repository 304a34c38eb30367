import type { FakeAgentPorts } from "./agent-ports.ts"
import type { FakeAgentScript } from "./script.ts"

/**
 * What an agent writes, in order and in the pieces that its script wants.
 *
 * @since 0.1.0
 * @category services
 */
export interface AgentOutput {
  /** Writes a line; its LF is added. */
  line(text: string): void
  /** From now on lines are kept, until as many releases followed. */
  hold(): void
  release(): void
  /** Writes what is kept. */
  flush(): void
  /** Does something when all that was written before is out. */
  behind(act: () => void): void
}

/** Between two pieces. A reader that is fast enough sees each alone. */
const pieceGapMs = 1

/** @since 0.1.0 @category constructors */
export const makeAgentOutput = (
  script: Pick<FakeAgentScript, "chunkBytes" | "splitUtf8" | "noJsonrpc">,
  { clock, write }: Pick<FakeAgentPorts, "clock" | "write">
): AgentOutput => {
  let kept: Array<string> = []
  let holds = 0
  /** Pieces and acts that wait for a piece before them. */
  const queue: Array<Uint8Array | (() => void)> = []
  let isPausing = false
  const isCutting = script.chunkBytes !== null || script.splitUtf8

  const goOn = (): void => {
    while (!isPausing) {
      const next = queue.shift()
      if (next === undefined) return
      if (typeof next === "function") next()
      else {
        write(next)
        if (isCutting) pause()
      }
    }
  }
  const pause = (): void => {
    isPausing = true
    clock.arm(pieceGapMs, "fake agent/piece", () => {
      isPausing = false
      goOn()
    })
  }
  const flush = (): void => {
    if (kept.length === 0) return
    const bytes = utf8.encode(kept.join(""))
    kept = []
    queue.push(...piecesOf(bytes, script))
    goOn()
  }

  return {
    line(text) {
      kept.push(`${script.noJsonrpc ? text.replace(/^\{"jsonrpc":"2\.0",?/, "{") : text}\n`)
      if (holds === 0) flush()
    },
    hold() {
      holds++
    },
    release() {
      if (--holds === 0) flush()
    },
    flush,
    behind(act) {
      flush()
      queue.push(act)
      goOn()
    }
  }
}

const utf8 = new TextEncoder()

/**
 * Bytes in the pieces that a script wants: at most so many, and cut inside of characters.
 *
 * @since 0.1.0
 * @category encoding
 */
export const piecesOf = (
  bytes: Uint8Array,
  { chunkBytes, splitUtf8 }: Pick<FakeAgentScript, "chunkBytes" | "splitUtf8">
): ReadonlyArray<Uint8Array> => {
  if (chunkBytes === null && !splitUtf8) return [bytes]
  const pieces: Array<Uint8Array> = []
  let from = 0
  for (let at = 1; at <= bytes.length; at++) {
    const isFull = at - from === chunkBytes
    const isInside = splitUtf8 && isLead(bytes[at - 1]) && at < bytes.length
    if (!isFull && !isInside && at < bytes.length) continue
    pieces.push(bytes.subarray(from, at))
    from = at
  }
  return pieces
}

/** The first byte of a character of several. */
const isLead = (byte = 0): boolean => byte >= 0xc0
