import type { ProcessVariables } from "../../ports/parent-process.ts"

/** Reads settings from variables. */
export interface EnvironmentReader {
  /**
   * The value of a variable, read by `parse`.
   *
   * **Gives** `otherwise` when the variable is unset, and, with one warning, when `parse` gives `undefined` or throws
   */
  envParse<A>(name: string, otherwise: A, parse: (text: string) => A | undefined): A
}

/**
 * A reader that warns of each variable at most once.
 *
 * **Source** agent-harness.md, section 1.7
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeEnvironmentReader = (options: {
  /** Read at each use. */
  readonly variables: ProcessVariables
  readonly warn: (message: string) => void
}): EnvironmentReader => {
  const { variables, warn } = options
  const warned = new Set<string>()
  return {
    envParse(name, otherwise, parse) {
      const text = Object.hasOwn(variables, name) ? variables[name] : undefined
      if (text === undefined) return otherwise
      const value = attempt(() => parse(text))
      if (value !== undefined) return value
      if (!warned.has(name)) warn(`the variable ${name} could not be read and is ignored`)
      warned.add(name)
      return otherwise
    }
  }
}

const attempt = <A>(work: () => A): A | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}
