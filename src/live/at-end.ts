/**
 * Does something when this process ends, or the worker in which Vitest runs tests: those it ends from outside, so that no `exit`
 * is heard there.
 *
 * @since 0.1.0
 * @category services
 */
export const atEnd = (work: () => void): void => {
  const worker: unknown = Reflect.get(globalThis, "__vitest_worker__")
  if (hasCleanup(worker)) worker.onCleanup(work)
  else process.once("exit", work)
}

const hasCleanup = (worker: unknown): worker is { readonly onCleanup: (work: () => void) => void } =>
  typeof worker === "object" && worker !== null && typeof Reflect.get(worker, "onCleanup") === "function"
