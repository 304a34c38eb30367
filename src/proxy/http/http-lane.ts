import type { FrameReader } from "../../wire/frames/frame-reader.ts"
import type { FrameProblem } from "../../wire/frames/framing.ts"
import type { Exchanges } from "./exchanges.ts"
import { httpContent } from "./http-content.ts"
import type { HttpStage } from "./http-stage.ts"
import { tunnelStage } from "./tunnel-stage.ts"

/** One direction of a connection. */
export interface HttpLaneTerms {
  readonly side: "requests" | "responses"
  readonly first: HttpStage
  readonly exchanges: Exchanges
}

/**
 * Reads the requests or the responses of a connection.
 *
 * @since 0.1.0
 * @category constructors
 */
export const httpLane = ({ side, first, exchanges }: HttpLaneTerms): Required<FrameReader> => {
  const chunks: Array<Uint8Array> = []
  /** What has been read of the first chunk. */
  let at = 0
  let stage = first
  let failure: FrameProblem | null = null
  /** Whether the input has ended, and whether the stage knows it. */
  let isClosed = false
  let isTold = false

  const isUndecided = (): boolean => side === "requests" && stage.isBetween && exchanges.isOpen()

  const forget = (): void => {
    chunks.length = 0
    at = 0
    stage = tunnelStage(new Uint8Array())
  }

  /** Goes on to what follows. Gives whether there was something. */
  const goOn = (): boolean => {
    const following = stage.following()
    if (following !== null) stage = following
    else if (side === "requests" && stage.isBetween && exchanges.isTunnel())
      stage = tunnelStage(stage.end()?.bytes ?? new Uint8Array())
    else return false
    return true
  }

  /** Reads on in what has come. Gives whether there was something. */
  const readOn = (): boolean => {
    const [chunk] = chunks
    if (chunk === undefined) return false
    at = stage.take(chunk, at)
    if (at >= chunk.length) {
      chunks.shift()
      at = 0
    }
    return true
  }

  /** Tells that the input has ended, when all of it is read. Gives whether it has. */
  const close = (): boolean => {
    if (!isClosed || isTold) return false
    isTold = true
    stage.close()
    return true
  }

  return {
    feed(chunk) {
      if (chunk.length > 0 && failure === null) chunks.push(chunk)
    },
    next(wish) {
      while (failure === null) {
        const part = stage.give(wish)
        if (part !== null) return part
        failure = stage.problem()
        if (failure !== null) forget()
        else if (!goOn() && (isUndecided() || !(readOn() || close()))) return null
      }
      return null
    },
    close() {
      isClosed = true
    },
    end() {
      if (side === "responses") exchanges.over()
      return failure === null ? stage.end() : null
    },
    failure: () => failure,
    isWaiting: () => chunks.length > 0 && isUndecided(),
    isInFrame: () => stage.isInFrame(),
    heldBytes: () => stage.heldBytes() + chunks.reduce((sum, { length }) => sum + length, -at),
    openBytes: () => stage.openBytes(),
    content: (part) => httpContent(side, part)
  }
}
