import { createRequire } from "node:module"

/** Registers a test with whatever runs the tests. */
export type RegisterTest = (name: string, body: () => Promise<void>, timeoutMs: number) => void

type AnyTest = (...given: ReadonlyArray<unknown>) => unknown

/**
 * The `test` of the runner at hand: a global one (Jest, Vitest with globals), that of Vitest, or else that of `node:test`.
 *
 * @since 0.1.0
 * @category running
 */
export const registerTest: RegisterTest = (name, body, timeoutMs) => {
  const global: unknown = Reflect.get(globalThis, "test")
  if (isTest(global)) global(name, body, timeoutMs)
  else if (ofVitest !== null) ofVitest(name, body, timeoutMs)
  else nodeTest()(name, { timeout: timeoutMs }, body)
}

const isTest = (value: unknown): value is AnyTest => typeof value === "function"

/** Vitest cannot be had later, for tests are registered while a file is loaded. */
const ofVitest: AnyTest | null =
  process.env["VITEST"] === undefined
    ? null
    : await import("./vitest-test.ts").then(
        ({ vitestTest }): AnyTest => vitestTest,
        () => null
      )

const nodeTest = (): AnyTest => {
  const found: unknown = createRequire(import.meta.url)("node:test")
  const test: unknown = typeof found === "object" && found !== null ? Reflect.get(found, "test") : found
  if (isTest(test)) return test
  throw new Error("no test runner was found: run this under Vitest, Jest or node --test")
}
