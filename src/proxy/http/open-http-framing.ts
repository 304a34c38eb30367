import type { FrameReader } from "../../wire/frames/frame-reader.ts"
import { frameBodyBytesMax } from "../../wire/frames/length-prefixed.ts"
import type { Framing } from "../framing/framing.ts"
import type { Direction } from "../plan/fault-program.ts"
import { contentLengthDigits } from "../plan/rewrite-length.ts"
import { makeExchanges } from "./exchanges.ts"
import { httpLane } from "./http-lane.ts"
import { requestStage, responseStage } from "./message-stages.ts"

/** Which limit counts, and whom requests are for. */
export interface HttpFramingOptions {
  /** Of a frame that is kept whole. Default 64 MiB. */
  readonly limitBytes?: number
  /** What `Host` of requests becomes, as in `api.openai.com` or `127.0.0.1:4010`; nothing where it stays. */
  readonly upstreamHost?: string | undefined
}

/**
 * The framing of HTTP/1.0 and 1.1: what its frames are, and what it changes on their way, is told by `httpFrames` and `httpDecisions`.
 *
 * **Source** RFC 9112; agent-harness.md, section 6.2, which leaves this framing open
 *
 * @since 0.1.0
 * @category encoding
 */
export const openHttpFraming = ({
  limitBytes = frameBodyBytesMax,
  upstreamHost
}: HttpFramingOptions = {}): Framing => ({
  rewriteLength: contentLengthDigits,
  open({ woken = () => {}, mayChangeLength = () => false, limitBytes: ownLimitBytes = limitBytes } = {}) {
    const exchanges = makeExchanges(() => woken("clientToLeader"))
    const termsOf = (direction: Direction) => ({
      exchanges,
      limitBytes: ownLimitBytes,
      host: upstreamHost ?? null,
      mayChangeLength: () => mayChangeLength(direction)
    })
    const requests: FrameReader = httpLane({
      side: "requests",
      first: requestStage(termsOf("clientToLeader")),
      exchanges
    })
    const responses: FrameReader = httpLane({
      side: "responses",
      first: responseStage(termsOf("leaderToClient")),
      exchanges
    })
    return { clientToLeader: requests, leaderToClient: responses }
  }
})
