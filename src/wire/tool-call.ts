import { describe } from "../domain/json.ts"

/**
 * A tool call as every API describes it. `arguments` is JSON text and reaches the wire unchanged, byte for byte; for a
 * custom tool it is any text.
 *
 * **Source** wire-formats.md, sections 2A.4, 2B.7 and 2C.5
 *
 * @since 0.1.0
 * @category models
 */
export interface ToolCall {
  readonly callId: string
  readonly name: string
  readonly arguments: string
}

/**
 * Whether parallel calls come one after the other (usual) or with their fragments in turns (adversarial, legal).
 *
 * @since 0.1.0
 * @category models
 */
export type CallOrder = "sequential" | "interleaved"

/** The arguments of a call. **Fails** with `TypeError` where there are none, as where the call is given a level too deep */
export const argumentsOf = ({ arguments: text }: ToolCall): string => {
  if (typeof text === "string") return text
  throw new TypeError(
    `the arguments of a tool call are ${describe(text)}; give JSON text: a call is { callId, name, arguments } among the options`
  )
}
