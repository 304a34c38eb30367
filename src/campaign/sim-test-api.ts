import type { SimProgram } from "./campaign.ts"
import type { SimTestOptions } from "./sim-test-options.ts"

/**
 * Registers a simulated test, in the forms that test runners know.
 *
 * @since 0.1.0
 * @category running
 */
export interface SimTest {
  (name: string, options: SimTestOptions, body: SimProgram): void
  /** Registers a test that is not run. */
  skip(name: string, options: SimTestOptions, body: SimProgram): void
  /** Of its file, tests that are registered so are run alone; under `node:test` with `--test-only`. */
  only(name: string, options: SimTestOptions, body: SimProgram): void
  /** A test that is still to be written. */
  todo(name: string): void
}
