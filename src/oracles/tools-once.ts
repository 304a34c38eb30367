import { breach, firstBreach, type Judged, type Monitor } from "./monitor.ts"
import { callName, type RunEvent } from "./run-event.ts"

interface Executed {
  readonly call: string
  readonly at: number
  readonly place: string | undefined
  isSettled: boolean
}

interface ToolState extends Judged {
  readonly executed: Map<string, Executed>
}

/** Within what a tool call id names one execution: an `actor` (default), or the whole `run` where actors share a conversation. */
export interface ToolScope {
  readonly within?: "actor" | "run"
}

/**
 * A tool call is executed once at most, and what was executed settles.
 *
 * @since 0.1.0
 * @category oracles
 */
export const toolsOnce = ({ within = "actor" }: ToolScope = {}): Monitor<ToolState> => {
  const nameOf = ({ actor, tool }: Extract<RunEvent, { readonly tool: string }>): string =>
    within === "run" ? `tool call ${tool}` : `tool call ${tool} of ${actor}`
  return {
    name: "tools-once",
    init: () => ({ breach: undefined, executed: new Map() }),
    on(event, state) {
      if (event.type === "tool.executed") {
        const name = nameOf(event)
        const before = state.executed.get(name)
        if (before === undefined)
          state.executed.set(name, { call: callName(event), at: event.at, place: event.place, isSettled: false })
        else
          breach(
            state,
            "a tool call was executed twice",
            `${name} was executed ${executionText(before)} and ${executionText({ ...event, call: callName(event) })}`
          )
      }
      if (event.type === "tool.settled") {
        const executed = state.executed.get(nameOf(event))
        if (executed !== undefined) executed.isSettled = true
      }
      return state
    },
    hot: ({ executed }) =>
      [...executed]
        .filter(([, { isSettled }]) => !isSettled)
        .map(([who, { at }]) => ({ what: "a tool call has not settled", who, waitsFor: "its tool", since: at })),
    fail: firstBreach
  }
}

const executionText = ({
  at,
  call,
  place
}: Pick<Executed, "at" | "call"> & { readonly place?: string | undefined }): string =>
  `at ${at} ms for ${call}${place === undefined ? "" : `, by ${place}`}`
