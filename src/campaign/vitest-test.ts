import { test } from "vitest"

/** Registers a test with Vitest. In a file of its own: where Vitest is absent, this file cannot be loaded. */
export const vitestTest = (...given: ReadonlyArray<unknown>): unknown => Reflect.apply(test, null, given)
