import { SandboxError } from "../../domain/harness-errors.ts"

/** The variables of a process that can be changed, as `process.env`. */
export type ChangeableVariables = Record<string, string | undefined>

/** The guards of each variable that are not disposed yet, the newest last. */
const openGuards = new WeakMap<ChangeableVariables, Map<string, Array<symbol>>>()

/**
 * Changes one variable of a process until the guard is disposed; then it is as it was before. For the few tests that
 * must change the environment of their own process.
 *
 * **Takes** `undefined` as a value to take the variable away
 * **Gives** a guard for `using`; disposing it again does nothing
 * **Fails** with `SandboxError` when it is disposed before a newer guard of the same variable is
 * **Source** agent-harness.md, section 1.7
 *
 * @since 0.1.0
 * @category guards
 */
export const guardVariable = (variables: ChangeableVariables, name: string, value: string | undefined): Disposable => {
  const previous = Object.hasOwn(variables, name) ? variables[name] : undefined
  const guards = guardsOf(variables, name)
  const self = Symbol(name)
  guards.push(self)
  write(variables, name, value)
  return {
    [Symbol.dispose]() {
      if (!guards.includes(self)) return
      if (guards.at(-1) !== self) {
        throw new SandboxError(`a newer guard of ${name} is still open; dispose guards in reverse order`)
      }
      guards.pop()
      write(variables, name, previous)
    }
  }
}

const guardsOf = (variables: ChangeableVariables, name: string): Array<symbol> => {
  const byName = openGuards.get(variables) ?? new Map<string, Array<symbol>>()
  openGuards.set(variables, byName)
  const guards = byName.get(name) ?? []
  byName.set(name, guards)
  return guards
}

const write = (variables: ChangeableVariables, name: string, value: string | undefined): void => {
  if (value === undefined) delete variables[name]
  else variables[name] = value
}
