/**
 * No run reached a situation that the runs were meant to reach: what they proved, they proved about easier ones.
 *
 * @since 0.1.0
 * @category errors
 */
export class GoalsMissed extends Error {
  readonly _tag = "GoalsMissed"
  readonly goals: ReadonlyArray<string>
  constructor(goals: ReadonlyArray<string>, runs: number, reached: ReadonlyArray<string> = []) {
    super(
      [
        `${runs} runs never reached:`,
        ...goals.map((goal) => `  ${goal}`),
        ...(reached.length === 0 ? [] : [`They reached ${someNames(reached)}`]),
        "Let them run longer, or make it likelier"
      ].join("\n")
    )
    this.name = "GoalsMissed"
    this.goals = goals
  }
}

/** So many names are told. */
const namesMax = 12

/** Names of situations, for a message. */
export const someNames = (names: ReadonlyArray<string>): string =>
  [...names.slice(0, namesMax).map((name) => JSON.stringify(name)), ...(names.length > namesMax ? ["…"] : [])].join(
    ", "
  )

/** The situations that runs reached. */
export const namesReached = (goals: Readonly<Record<string, number>>): ReadonlyArray<string> =>
  Object.keys(goals).filter((goal) => goals[goal] !== 0)

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
