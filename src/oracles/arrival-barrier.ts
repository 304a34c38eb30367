import { breach, firstBreach, type Hot, type Judged, type Monitor } from "./monitor.ts"
import type { SeenEvent } from "./run-event.ts"

interface Gathering {
  readonly parties: number
  /** Who is there and has not passed, and since when. */
  readonly present: Map<string, number>
  isOpen: boolean
}

interface ArrivalState extends Judged {
  readonly barriers: Map<string, Gathering>
}

/**
 * Nobody passes an arrival barrier before all parties were there together; then all who are there pass, within `passWithinMs`.
 * Who leaves before that makes room: another has to come.
 *
 * @since 0.1.0
 * @category oracles
 */
export const arrivalBarrier = (options: { readonly passWithinMs?: number } = {}): Monitor<ArrivalState> => ({
  name: "arrival-barrier",
  init: () => ({ breach: undefined, barriers: new Map() }),
  on(event, state) {
    note(event, state)
    return state
  },
  hot: ({ barriers }) => [...barriers].flatMap(([name, gathering]) => waitsAt(name, gathering, options.passWithinMs)),
  fail: firstBreach
})

const note = (event: SeenEvent, state: ArrivalState): void => {
  switch (event.type) {
    case "party.arrived": {
      const { barrier, parties, actor, at } = event
      const gathering = state.barriers.get(barrier) ?? { parties, present: new Map(), isOpen: false }
      state.barriers.set(barrier, gathering)
      gathering.present.set(actor, at)
      if (gathering.present.size < parties || gathering.isOpen) return
      gathering.isOpen = true
      // The time to pass begins when the last has come.
      for (const party of gathering.present.keys()) gathering.present.set(party, at)
      return
    }
    case "party.passed": {
      const gathering = state.barriers.get(event.barrier)
      const { present, parties } = gathering ?? { present: new Map(), parties: null }
      if (gathering?.isOpen !== true) {
        const who = [...present.keys()].join(", ") || "nobody"
        breach(
          state,
          "a party passed before all were there",
          `${event.actor} passed "${event.barrier}" while ${who} of ${parties ?? "an unknown number"} were there`
        )
      }
      present.delete(event.actor)
      return
    }
    case "party.left":
      state.barriers.get(event.barrier)?.present.delete(event.actor)
  }
}

const waitsAt = (
  name: string,
  { parties, present, isOpen }: Gathering,
  passWithinMs: number | undefined
): ReadonlyArray<Hot> =>
  [...present].map(([who, since]) =>
    isOpen
      ? {
          what: "a party is held at an open arrival barrier",
          who,
          waitsFor: `arrival barrier "${name}", at which all have been`,
          since,
          ...(passWithinMs === undefined ? {} : { deadlineMs: passWithinMs })
        }
      : {
          what: "a party waits for others that do not come",
          who,
          waitsFor: `${parties - present.size} more at arrival barrier "${name}"`,
          since
        }
  )
