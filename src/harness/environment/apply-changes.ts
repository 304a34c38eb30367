import { InvalidOption } from "../../domain/errors.ts"
import { describe } from "../../domain/json.ts"
import type { ProfileMock, TextMap } from "../profile/agent-profile.ts"
import { fillTemplate } from "../profile/template.ts"
import type { EnvironmentChange, MockWiring } from "./environment-request.ts"

/**
 * Variables after a row of changes: the last write wins, `remove` deletes whatever was there, `mock` writes exactly the
 * variables of the profile's `mock.env`.
 *
 * **Source** agent-harness.md, sections 1.4.5 and 1.5
 *
 * @since 0.1.0
 * @category models
 */
export const applyChanges = (start: TextMap, changes: ReadonlyArray<EnvironmentChange>, mock: ProfileMock): TextMap => {
  const variables = new Map(Object.entries(start))
  for (const change of changes) {
    if (change.kind === "remove") variables.delete(change.name)
    else for (const [name, value] of Object.entries(writtenBy(change, mock))) variables.set(name, value)
  }
  return Object.fromEntries(variables)
}

const writtenBy = (change: Exclude<EnvironmentChange, { readonly kind: "remove" }>, mock: ProfileMock): TextMap => {
  if (change.kind === "set") return { [change.name]: change.value }
  return change.kind === "extend" ? change.values : mockVariables(mock, change.wiring)
}

/** The variables that point an agent at the mock. */
export const mockVariables = ({ env }: ProfileMock, wiring: MockWiring): TextMap =>
  Object.fromEntries(Object.entries(env).map(([name, template]) => [name, fillTemplate(template, { ...wiring })]))

/**
 * Checks a variable before it is set: no operating system takes an empty name, one with `=`, or a NUL.
 *
 * **Fails** with `InvalidOption`
 */
export const checkVariable = (name: string, value: unknown): void => {
  if (typeof name !== "string" || name === "" || name.includes("=") || name.includes("\0")) {
    throw new InvalidOption(`a variable cannot be named ${describe(name)}; leave out "=" and NUL`)
  }
  if (typeof value !== "string") {
    throw new InvalidOption(`the variable ${name} is set to ${describe(value)}; use a text, or remove it`)
  }
  if (value.includes("\0")) throw new InvalidOption(`the value of the variable ${name} holds a NUL`)
}
