import { callingFile } from "./calling-file.ts"
import type { SimProgram } from "./campaign.ts"
import { registerTodo, type TestForm } from "./runner.ts"
import { registerSimTest, type SimTestParts } from "./sim-test.ts"
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

/** @since 0.1.0 @category constructors */
export const makeSimTest = (parts: Omit<SimTestParts, "testFile">): SimTest => {
  const formOf = (form: TestForm) => {
    const register = (name: string, options: SimTestOptions, body: SimProgram): void =>
      registerSimTest(name, options, body, { ...parts, form, testFile: callingFile(register) })
    return register
  }
  return Object.assign(formOf("run"), { skip: formOf("skip"), only: formOf("only"), todo: registerTodo })
}
