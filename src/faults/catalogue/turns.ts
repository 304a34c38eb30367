import type { FaultSettings } from "../../domain/fault-options.ts"
import { codePoints } from "../../wire/splitters.ts"
import type { Finish, Turn, TurnCall } from "./voice.ts"

/** A text in pieces of `chunkSize` code points; the empty text is one empty piece. */
export const piecesOf = (text: string, { chunkSize }: FaultSettings): ReadonlyArray<string> =>
  codePoints(chunkSize)(text)

/** Code points of a text: what the mock counts as tokens. */
export const countOf = (text: string): number => Array.from(text).length

/**
 * A turn of text.
 *
 * @since 0.1.0
 * @category constructors
 */
export const textTurn = (
  settings: FaultSettings,
  { text = settings.successText, finish = "stop" }: { readonly text?: string; readonly finish?: Finish } = {}
): Turn => ({
  parts: [{ kind: "text", pieces: piecesOf(text, settings) }],
  finish,
  outputTokens: countOf(text)
})

/** A turn of a thought and a text. */
export const reasoningTurn = (settings: FaultSettings): Turn => {
  const turn = textTurn(settings)
  return { ...turn, parts: [{ kind: "reasoning", pieces: piecesOf(settings.reasoningText, settings) }, ...turn.parts] }
}

/** A turn of a thought alone. It counts, for it is all that was said. */
export const thoughtTurn = (settings: FaultSettings): Turn => ({
  parts: [{ kind: "reasoning", pieces: piecesOf(settings.reasoningText, settings) }],
  finish: "stop",
  outputTokens: countOf(settings.reasoningText)
})

/** A turn that says nothing. */
export const emptyTurn: Turn = { parts: [], finish: "stop", outputTokens: 0 }

/**
 * The arguments in two fragments, cut at half their code points; the second may be empty.
 *
 * **Source** fault-server.md, section 1.3
 */
export const halved = (text: string): ReadonlyArray<string> => {
  const points = Array.from(text)
  const at = Math.max(1, Math.floor(points.length / 2))
  return [points.slice(0, at).join(""), points.slice(at).join("")]
}

/** The tool call of the settings. */
export const callOf = ({ toolName, toolArguments }: FaultSettings): TurnCall => ({
  id: "mock-call-1",
  name: toolName,
  pieces: halved(toolArguments)
})

/** A turn of tool calls. */
export const callsTurn = (calls: ReadonlyArray<TurnCall>, finish: Finish = "tool_calls"): Turn => ({
  parts: [{ kind: "calls", calls }],
  finish,
  outputTokens: 2
})

/** Two calls of the tool whose fragments come in turns. */
export const parallelTurn = (settings: FaultSettings): Turn => {
  const call = callOf(settings)
  return {
    ...callsTurn([]),
    parts: [{ kind: "calls", calls: [call, { ...call, id: "mock-call-2" }], isInterleaved: true }]
  }
}

const wideText = "mock response, réponse 🌊 回復"

/** A turn of text with characters of several bytes: `successText` where it has some, another text where it has none. */
export const wideTurn = (settings: FaultSettings): Turn => {
  // Lone surrogates are left out: JSON writes them in ASCII.
  const isWide = /[\u{80}-\u{d7ff}\u{e000}-\u{10ffff}]/u.test(settings.successText)
  return textTurn(settings, { text: isWide ? settings.successText : wideText })
}

/** A turn of text whose pieces are not the ones that they should be. */
export const piecewiseTurn = (
  settings: FaultSettings,
  change: (pieces: ReadonlyArray<string>) => ReadonlyArray<string>
): Turn => ({
  ...textTurn(settings),
  parts: [{ kind: "text", pieces: change(piecesOf(settings.successText, settings)) }]
})
