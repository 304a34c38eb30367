import { Effect } from "effect"
import { InvalidOption } from "../domain/errors.ts"

/**
 * What a program gave when it was called. A generator or an effect runs only when somebody runs it: a program that gives one has
 * done nothing, and would pass.
 *
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category guards
 */
export const begun = <A>(given: A): A => {
  if (Effect.isEffect(given)) {
    throw new InvalidOption(
      "the program gave an Effect, which nothing runs; give (sim) => simRuntime(sim).runPromise(effect) instead"
    )
  }
  if (isGenerator(given)) {
    throw new InvalidOption(
      "the program is a generator, whose body nothing runs; make it an async function without the *"
    )
  }
  return given
}

const isGenerator = (given: unknown): boolean =>
  typeof given === "object" && given !== null && "next" in given && typeof given.next === "function" && "throw" in given
