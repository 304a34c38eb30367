import { createRequire } from "node:module"

/** Which of the forms of a runner's `test` is called. */
export type TestForm = "run" | "skip" | "only"

/** A test to register. */
export interface TestToRegister {
  readonly form: TestForm
  readonly name: string
  readonly body: () => Promise<void>
  readonly timeoutMs: number
  /** Of a test to be skipped: called when all tests of its file are registered, where the runner lets a test skip itself. */
  readonly onSkip?: () => void
}

/** Registers a test with whatever runs the tests. */
export type RegisterTest = (test: TestToRegister) => void

type AnyTest = (...given: ReadonlyArray<unknown>) => unknown

/**
 * The `test` of the runner at hand: a global one (Jest, Vitest with globals), that of Vitest or of Jest without globals, or else
 * that of `node:test`.
 *
 * @since 0.1.0
 * @category running
 */
export const registerTest: RegisterTest = ({ form, name, body, timeoutMs, onSkip }) => {
  const ofRunner = testOfRunner()
  if (form === "skip" && onSkip !== undefined && isVitest && ofRunner !== null) {
    ofRunner(name, skipping(onSkip))
    return
  }
  if (ofRunner === null) formOf(nodeTest(), form)(name, { timeout: timeoutMs }, body)
  else formOf(ofRunner, form)(name, body, timeoutMs)
}

const isVitest = process.env["VITEST"] !== undefined

/** The body of a test of Vitest that skips itself. */
const skipping = (onSkip: () => void) => (context: unknown) => {
  onSkip()
  const skip: unknown = Reflect.get(Object(context), "skip")
  if (isTest(skip)) Reflect.apply(skip, context, [])
}

/** Registers a test that is still to be written. */
export const registerTodo = (name: string): void => void formOf(testOfRunner() ?? nodeTest(), "todo")(name)

const testOfRunner = (): AnyTest | null => {
  const global: unknown = Reflect.get(globalThis, "test")
  if (isTest(global)) return global
  return isTest(loadedTest) ? loadedTest : null
}

const formOf = (test: AnyTest, form: TestForm | "todo"): AnyTest => {
  if (form === "run") return test
  const found: unknown = Reflect.get(test, form)
  if (isTest(found)) return found
  throw new Error(`the test runner at hand has no test.${form}`)
}

const isTest = (value: unknown): value is AnyTest => typeof value === "function"

/** It cannot be had later, for tests are registered while a file is loaded. */
const loadedTest: unknown = isVitest
  ? await import("./vitest-test.ts").then(
      ({ vitestTest }) => vitestTest,
      () => null
    )
  : process.env["JEST_WORKER_ID"] !== undefined
    ? await import("./jest-test.ts").then(
        ({ jestTest }) => jestTest,
        () => null
      )
    : null

const nodeTest = (): AnyTest => {
  const found: unknown = createRequire(import.meta.url)("node:test")
  const test: unknown = typeof found === "object" && found !== null ? Reflect.get(found, "test") : found
  if (isTest(test)) return test
  throw new Error("no test runner was found: run this under Vitest, Jest or node --test")
}
