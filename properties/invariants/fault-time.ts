import {
  bodyBytes,
  eventData,
  exchangesOf,
  type FaultExchange,
  type FaultLaw,
  named,
  same,
  wholeOf
} from "./fault-account.ts"

/** 27 to 29. An answer takes as long as its behaviour says from its acceptance on, whatever else goes on. */
export const timeIsItsOwn: FaultLaw = (run) => {
  for (const exchange of wholeOf(run)) {
    const { windowBytes, record, decision } = exchange
    same(`when ${named(exchange)} was accepted`, record.t, decision.at)
    if (windowBytes !== null) continue
    same(`the time of ${named(exchange)}`, record.durationMs, durationOf(exchange))
  }
}

const durationOf = (exchange: FaultExchange): number => {
  const { record, shape, expected } = exchange
  const { settings } = expected
  // Byte by byte, with a pause before each but the first.
  if (record.behavior === "drip") return (bodyBytes(exchange).length - 1) * settings.chunkDelayMs
  return shape.takes?.(settings, record.stream) ?? 0
}

/** 27 and 28. Each text of a slow answer comes a pause after the one before, and what closes it with the last pause. */
export const slowPiecesArePaced: FaultLaw = (run) => {
  for (const exchange of exchangesOf(run)) {
    const { record, expected, decision, pieces, windowBytes } = exchange
    const isPaced = record.behavior === "slow_success" || record.behavior === "partial_disconnect"
    if (!isPaced || !record.stream || windowBytes !== null) continue
    let texts = 0
    for (const { at, bytes } of pieces) {
      same(`when event ${texts} of ${named(exchange)} came`, at - decision.at, texts * expected.settings.chunkDelayMs)
      if (isText(new TextDecoder().decode(bytes))) texts++
    }
  }
}

/** A delta of text: what a slow answer pauses behind. */
const isText = (frame: string): boolean =>
  eventData(frame).some(
    (data) =>
      (data.includes('"content":') && data.includes('"finish_reason":null')) ||
      data.includes('"type":"response.output_text.delta"') ||
      data.includes('"type":"text_delta"')
  )

/** 28. What takes no time comes at the moment of its acceptance; a late head comes when it is due. */
export const nothingElseWaits: FaultLaw = (run) => {
  for (const exchange of exchangesOf(run)) {
    const { record, expected, decision, pieces, windowBytes } = exchange
    if (windowBytes !== null || ownPace.has(record.behavior)) continue
    const dueMs = record.behavior === "slow_head" ? expected.settings.headDelayMs : 0
    const late = pieces.filter(({ at }) => at - decision.at !== dueMs)
    same(`pieces of ${named(exchange)} at other times than ${dueMs}`, late.length, 0)
  }
}

const ownPace: ReadonlySet<string> = new Set(["slow_success", "partial_disconnect", "drip", "comment_stall"])
