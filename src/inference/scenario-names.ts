import type { ScriptedExpectation } from "./scenario-expectation.ts"
import { expectationsMax } from "./scenario-expectation-schema.ts"
import { formatPath, problemAt, type ScenarioPath, type ScenarioProblem } from "./scenario-problem.ts"

/** The names under which an expectation is registered: its own, or with `times` NAME#1, NAME#2, ... */
export const timedNames = ({ name, times }: Pick<ScriptedExpectation, "name" | "times">): ReadonlyArray<string> =>
  times === null ? [name] : numbered(name, times)

const numbered = (name: string, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `${name}#${index + 1}`)

/** The names that a server will know it by: alternatives and attempts are numbered once more. */
const memberNames = (expectation: ScriptedExpectation): ReadonlyArray<string> => {
  const members = membersOf(expectation)
  return timedNames(expectation).flatMap((name) => (members === null ? [name] : numbered(name, members)))
}

const membersOf = ({ answer }: ScriptedExpectation): number | null => {
  if (answer.kind === "response") return null
  return answer.kind === "attempts" ? answer.responses.length : answer.alternatives.length
}

/** Every name of a scenario so far. */
export interface ScenarioNames {
  /** Adds the names of an expectation. Gives what is wrong with them: taken ones, or too many in all. */
  add(expectation: ScriptedExpectation, path: ScenarioPath): ReadonlyArray<ScenarioProblem>
}

/** @since 0.1.0 @category constructors */
export const makeNames = (): ScenarioNames => {
  /** The place in the file of whoever has a name, and whether it is written there. */
  const owners = new Map<string, { readonly at: string; readonly isWritten: boolean }>()
  let total = 0
  return {
    add(expectation, path) {
      const before = total
      const { name, times } = expectation
      total += (times ?? 1) * (membersOf(expectation) ?? 1)
      if (total > expectationsMax) return before > expectationsMax ? [] : [tooMany(total, expectation, path)]
      const at = formatPath(path)
      const taken = (wanted: string): ReadonlyArray<ScenarioProblem> => {
        const owner = owners.get(wanted)
        if (owner === undefined) return []
        const what = owner.isWritten ? "already the name of" : "one of the numbered names of"
        const gives = wanted === name ? "" : `gives the name ${JSON.stringify(wanted)}, which `
        return [problemAt([...path, "name"], `${JSON.stringify(name)} ${gives}is ${what} ${owner.at}`)]
      }
      const members = memberNames(expectation)
      const [problem] = [name, ...members].flatMap(taken)
      if (problem !== undefined) return [problem]
      for (const member of members) owners.set(member, { at, isWritten: false })
      owners.set(name, { at, isWritten: true })
      return []
    }
  }
}

const tooMany = (total: number, { times }: ScriptedExpectation, path: ScenarioPath): ScenarioProblem =>
  problemAt(
    times === null ? path : [...path, "times"],
    `makes ${total} expectations, each of "times", "attempts" and "anyOf" counted; a scenario has at most ${expectationsMax}`
  )
