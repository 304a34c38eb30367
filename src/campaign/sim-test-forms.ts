import { callingFile } from "./calling-file.ts"
import type { SimProgram } from "./campaign.ts"
import { registerTodo, type TestForm } from "./runner.ts"
import { registerSimTest, type SimTestParts } from "./sim-test.ts"
import type { SimTest } from "./sim-test-api.ts"
import type { SimTestOptions } from "./sim-test-options.ts"

/** @since 0.1.0 @category constructors */
export const makeSimTest = (parts: Omit<SimTestParts, "testFile">): SimTest => {
  const formOf = (form: TestForm) => {
    const register = (name: string, options: SimTestOptions, body: SimProgram): void =>
      registerSimTest(name, options, body, { ...parts, form, testFile: callingFile(register) })
    return register
  }
  return Object.assign(formOf("run"), { skip: formOf("skip"), only: formOf("only"), todo: registerTodo })
}
