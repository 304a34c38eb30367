/**
 * No run reached a situation that the runs were meant to reach: what they proved, they proved about easier ones.
 *
 * @since 0.1.0
 * @category errors
 */
export class GoalsMissed extends Error {
  readonly _tag = "GoalsMissed"
  readonly goals: ReadonlyArray<string>
  constructor(goals: ReadonlyArray<string>, runs: number) {
    super(
      `${runs} runs never reached:\n${goals.map((goal) => `  ${goal}`).join("\n")}\nLet them run longer, or make it likelier`
    )
    this.name = "GoalsMissed"
    this.goals = goals
  }
}

/**
 * Situations that some run must reach.
 *
 * @since 0.1.0
 * @category exploring
 */
export interface Goals {
  /** A goal counts when it is named, and is reached when `holds`. */
  sometimes(goal: string, holds: boolean): void
  /** How often each was reached. */
  reached(): Readonly<Record<string, number>>
  missed(): ReadonlyArray<string>
}

/** Goals beyond so many are not counted. */
const goalsMax = 1_000

/** @since 0.1.0 @category constructors */
export const makeGoals = (declared: ReadonlyArray<string>): Goals => {
  const counts = new Map<string, number>(declared.map((goal) => [goal, 0]))
  return {
    sometimes(goal, holds) {
      const count = counts.get(goal)
      if (count === undefined && counts.size >= goalsMax) return
      counts.set(goal, (count ?? 0) + (holds ? 1 : 0))
    },
    reached: () => Object.fromEntries(counts),
    missed: () => [...counts].filter(([, count]) => count === 0).map(([goal]) => goal)
  }
}
