import type { FaultName } from "../../domain/fault-names.ts"
import type { FaultOptions } from "../../domain/fault-options.ts"
import { errorOf } from "./answers.ts"
import type { Behavior, FaultContext } from "./behavior.ts"
import type { ErrorRow } from "./voice.ts"

/**
 * A behaviour that is an HTTP error. `headers` are added to those of the row.
 *
 * @since 0.1.0
 * @category constructors
 */
export const errorBehavior = (options: {
  readonly name: FaultName
  readonly summary: string
  readonly row: ErrorRow
  readonly uses?: ReadonlyArray<keyof FaultOptions>
  readonly headers?: (context: FaultContext) => ReadonlyArray<readonly [name: string, value: string]>
}): Behavior => {
  const { name, summary, row, uses = [], headers } = options
  const answer = (context: FaultContext) =>
    errorOf(context, headers === undefined ? row : { ...row, headers: [...(row.headers ?? []), ...headers(context)] })
  return { name, summary, uses: [...uses, "requestId"], outcome: "completed", stream: answer, reply: answer }
}
