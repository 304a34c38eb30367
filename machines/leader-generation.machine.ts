import { assign, setup } from "xstate"
import { leaderPollMs } from "../src/domain/leader-limits.ts"

/** What can happen to a watch. `lock.read` answers `readLock`: the number that the lock file holds, and whether it runs. */
export type LeaderGenerationEvent =
  | { readonly type: "lock.read"; readonly pid: number | null; readonly isAlive: boolean }
  | { readonly type: "stopped" }

const take = {
  type: "take",
  params: ({ event }: { readonly event: Extract<LeaderGenerationEvent, { readonly type: "lock.read" }> }) => ({
    pid: event.pid
  })
} as const

/** A look comes again and again; the answer to one changes nothing of when the next is due. */
const again = <S extends string>(state: S) => ({ poll: { target: state, reenter: true, actions: "readLock" } }) as const

/**
 * Which leader a lock file names, as somebody sees it who reads it now and then. Nothing of it belongs to whoever looks.
 *
 * **Source** agent-harness.md, section 7.4
 */
export const leaderGenerationMachine = setup({
  types: {
    context: {} as {
      /** The leader that was seen last, whether it is there or not. */
      readonly pid: number | null
      /** How many different ones were seen, one after the other. */
      readonly generation: number
    },
    events: {} as LeaderGenerationEvent
  },
  actions: {
    // Declared only: the supervisor reads these from the step and performs them.
    readLock: () => {},
    publish: () => {},
    take: assign(({ context }, { pid }: { readonly pid: number | null }) => ({
      pid,
      generation: pid === context.pid ? context.generation : context.generation + 1
    }))
  },
  guards: {
    isLive: ({ event }) => event.type === "lock.read" && event.pid !== null && event.isAlive,
    isSame: ({ context, event }) => event.type === "lock.read" && event.pid === context.pid && event.isAlive
  },
  delays: { poll: leaderPollMs }
}).createMachine({
  id: "leader-generation",
  context: () => ({ pid: null, generation: 0 }),
  initial: "unknown",
  on: { stopped: ".over" },
  states: {
    unknown: {
      after: again("unknown"),
      on: { "lock.read": [{ guard: "isLive", target: "live", actions: take }, {}] }
    },
    live: {
      entry: "publish",
      after: again("live"),
      on: {
        "lock.read": [
          { guard: "isSame" },
          { guard: "isLive", target: "live", reenter: true, actions: take },
          { target: "vacant" }
        ]
      }
    },
    vacant: {
      entry: "publish",
      after: again("vacant"),
      on: { "lock.read": [{ guard: "isLive", target: "live", actions: take }, {}] }
    },
    over: { type: "final" }
  }
})
