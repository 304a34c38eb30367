import type { FaultName } from "../../domain/fault-names.ts"
import { faultNames, isFaultName } from "../../domain/fault-names.ts"
import type { FaultOptions } from "../../domain/fault-options.ts"
import { describe } from "../../domain/json.ts"
import { firstHeader, type RequestHead } from "../../domain/request.ts"
import { suggestion } from "../../domain/spelling.ts"

/** The header by which a request asks for a fault. */
export const faultHeaderName = "x-understudy-fault"

/** What a request asked for, or why it cannot be had. */
export type AskedFault = { readonly behavior: FaultName; readonly options: FaultOptions } | { readonly problem: string }

/**
 * The fault that a request asks for: a name, with `:rst` or `:fin` where it drops the connection.
 *
 * **Gives** `null` when it asks for none
 *
 * @since 0.1.0
 * @category faults
 */
export const askedFault = ({ headers }: RequestHead): AskedFault | null => {
  const asked = firstHeader(headers, faultHeaderName)?.trim()
  if (asked === undefined || asked === "") return null
  const [name = "", mode, ...rest] = asked.split(":")
  const isMode = mode === undefined || mode === "fin" || mode === "rst"
  if (!isFaultName(name) || !isMode || rest.length > 0) {
    const hint = isFaultName(name) ? "; only :fin or :rst may follow a name" : suggestion(name, faultNames)
    return { problem: `the header ${faultHeaderName} asks for ${describe(asked)}, which is no fault${hint}` }
  }
  return { behavior: name, options: mode === undefined ? {} : { resetMode: mode } }
}
