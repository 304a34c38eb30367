/** What is used of a module that is there inside Jest alone, and is no dependency of this package. */
declare module "@jest/globals" {
  export const test: unknown
}
