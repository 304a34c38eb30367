import { test } from "vitest"

/** The `test` of Vitest. In a file of its own: where Vitest is absent, this file cannot be loaded. */
export const vitestTest: unknown = test
