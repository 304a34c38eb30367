import { test } from "@jest/globals"

/** The `test` of Jest, for who has switched its globals off. In a file of its own: outside of Jest, this file cannot be loaded. */
export const jestTest: unknown = test
