import { explainWaits } from "./explain-waits.ts"
import { breach, firstBreach, type Judged, type Monitor } from "./monitor.ts"

interface Waiting {
  readonly waitsFor: string
  readonly since: number
}

interface DeadlockState extends Judged {
  readonly waits: Map<string, Waiting>
}

/**
 * No actors wait for each other in a cycle. An actor that waits does nothing else; one that does several things at once has a
 * name for each.
 *
 * @since 0.1.0
 * @category oracles
 */
export const noDeadlock = (): Monitor<DeadlockState> => ({
  name: "deadlock",
  init: () => ({ breach: undefined, waits: new Map() }),
  on(event, state) {
    if (event.type === "wait.ended") state.waits.delete(event.actor)
    if (event.type !== "wait.began") return state
    state.waits.set(event.actor, { waitsFor: event.waitsFor, since: event.at })
    const { cycles, lines } = explainWaits(waitsIn(state))
    if (cycles.length > 0) breach(state, "a cycle of waits", lines.slice(0, cycles.length).join("; "))
    return state
  },
  hot: (state) => waitsIn(state).map((wait) => ({ what: "an actor waits for ever", ...wait })),
  fail: firstBreach
})

const waitsIn = ({ waits }: DeadlockState): ReadonlyArray<Waiting & { readonly who: string }> =>
  [...waits].map(([who, wait]) => ({ who, ...wait }))
