/** The `test` of the runner at hand, for tests that are no simulated ones. */
export const { test } =
  globalThis.test !== undefined
    ? globalThis
    : process.env.VITEST !== undefined
      ? await import("vitest")
      : process.env.JEST_WORKER_ID !== undefined
        ? await import("@jest/globals")
        : await import("node:test")

/** Turns the fake timers of the runner at hand on; gives what turns them off. */
export const fakeTimers = async () => {
  if (process.env.VITEST !== undefined) {
    const { vi } = await import("vitest")
    vi.useFakeTimers()
    return () => vi.useRealTimers()
  }
  if (process.env.JEST_WORKER_ID !== undefined) {
    const { jest } = await import("@jest/globals")
    jest.useFakeTimers()
    return () => jest.useRealTimers()
  }
  const { mock } = await import("node:test")
  mock.timers.enable({ apis: ["setTimeout"] })
  return () => mock.timers.reset()
}
