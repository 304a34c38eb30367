// @ts-check
/**
 * Settings of every fast-check property, from the environment; loaded by vitest before each property file.
 *
 * **SEED** the number that all generated values follow from; without it each run has another
 * **RUNS** how many values a property tries that does not set a number of its own; without it 100
 * **REPLAY** the `path` that a failed property printed; with the SEED printed beside it that property fails again at
 * once. Every property would take the path as its own, so name one: `-- -t "title of the property"`
 */
import fc from "fast-check"

const { SEED, RUNS, REPLAY } = process.env

fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  ...(SEED ? { seed: toInteger("SEED", SEED) } : {}),
  ...(RUNS ? { numRuns: toInteger("RUNS", RUNS) } : {}),
  ...(REPLAY && /^\d+(:\d+)*$/.test(REPLAY) ? { path: REPLAY } : {})
})

/**
 * @param {string} name
 * @param {string} text
 */
function toInteger(name, text) {
  if (/^-?\d+$/.test(text)) return Number(text)
  throw new Error(
    `${name} is "${text}", which is not an integer. Set it to one, for example ${name}=1, or leave it out.`
  )
}
