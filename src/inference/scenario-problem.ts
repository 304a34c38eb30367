/** Where in a scenario: keys of mappings and indexes of lists, from the top. */
export type ScenarioPath = ReadonlyArray<string | number>

/**
 * One thing that is wrong in a scenario. `at` says whether the last key of the path is meant or what stands under it.
 *
 * @since 0.1.0
 * @category errors
 */
export interface ScenarioProblem {
  readonly path: ScenarioPath
  readonly at: "key" | "value"
  readonly message: string
}

/** @since 0.1.0 @category constructors */
export const problemAt = (path: ScenarioPath, message: string): ScenarioProblem => ({ path, at: "value", message })

/** A path as a person writes it: `expectations[0].endpoint`, `queues["/v1/responses"][2]`; empty for the top. */
export const formatPath = (path: ScenarioPath): string =>
  path
    .map((part, index) => {
      if (typeof part === "number") return `[${part}]`
      if (!/^[A-Za-z_$][\w$]*$/.test(part)) return `[${JSON.stringify(part)}]`
      return index === 0 ? part : `.${part}`
    })
    .join("")
