import { InvalidOption } from "../domain/errors.ts"
import { isRecord } from "../domain/json.ts"
import { shown } from "../domain/option-checks.ts"
import { closest, suggestion } from "../domain/spelling.ts"

/**
 * Checks what a server of a simulated world is started with, as far as the world knows better than the server: how it is reached
 * and whose time it has. Its own options are checked by the server.
 *
 * **Takes** `call`, which the message names; `names`, the options of such a server outside a world, and an `example` of them
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category guards
 */
export const checkServed = (
  call: string,
  given: unknown,
  { names, example }: { readonly names: ReadonlyArray<string>; readonly example: string }
): void => {
  const problem = isRecord(given)
    ? servedProblem(given, names)
    : `the options are ${shown(given)}; give an object, such as ${example}`
  if (problem !== null) throw new InvalidOption(`${call}: ${problem}`)
}

const servedProblem = (given: Readonly<Record<string, unknown>>, names: ReadonlyArray<string>): string | null => {
  for (const [name, value] of Object.entries(given)) {
    if (name === "clock" && value !== undefined)
      return "there is no option clock: the world has its own time, which sim.sleep(ms) lets pass"
    if (name !== "over" && !names.includes(name) && closest(name, [...names, "over"]) === "over")
      return `there is no option ${shown(name)}${suggestion(name, ["over"])}`
  }
  return null
}
