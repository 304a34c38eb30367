import type { SeenEvent } from "./run-event.ts"

/**
 * A situation that some run of a campaign has to reach, told from the events of a run: a suite that never reaches it proves less
 * than it says.
 *
 * **Source** simulation.md, section 5.8
 *
 * @since 0.1.0
 * @category models
 */
export interface Goal<S> {
  readonly label: string
  init(): S
  /** Whether this event reaches it. It may change the state. */
  isReached(event: SeenEvent, state: S): boolean
}

/** A goal whose state is nobody's business. */
export type AnyGoal = Goal<unknown>

/** Who counts the goals of a campaign. A goal counts when it is named, and is reached when `holds`. */
export interface GoalBook {
  sometimes(label: string, holds: boolean): void
}

/** The goals of one run. */
export interface WatchedGoals {
  see(event: SeenEvent): void
  /** What this run reached so far. */
  reached(): ReadonlyArray<string>
}

/**
 * Names the goals in the book, and tells it when this run reaches one, once for each.
 *
 * @since 0.1.0
 * @category running
 */
export const watchGoals = (goals: ReadonlyArray<AnyGoal>, book: GoalBook): WatchedGoals => {
  const reached = new Set<string>()
  const watched = goals.map((goal) => ({ goal, state: goal.init() }))
  for (const { label } of goals) book.sometimes(label, false)
  return {
    see(event) {
      for (const { goal, state } of watched) {
        if (reached.has(goal.label) || !goal.isReached(event, state)) continue
        reached.add(goal.label)
        book.sometimes(goal.label, true)
      }
    },
    reached: () => [...reached]
  }
}
