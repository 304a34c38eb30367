import { afterEach, describe, expect, it, vi } from "vitest"
import { scaled } from "../../src/index.ts"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const withVariables = (harness: string | undefined, grok: string | undefined) => {
  vi.stubEnv("HARNESS_TIMEOUT_SCALE", harness)
  vi.stubEnv("GROK_TEST_TIMEOUT_SCALE", grok)
  return scaled(100)
}

describe("a time limit", () => {
  it("is stretched by the first variable that holds a number, read at each use", () => {
    vi.spyOn(process, "emitWarning").mockImplementation(() => {})

    expect(withVariables(undefined, undefined)).toBe(100)
    expect(withVariables("3", undefined)).toBe(300)
    expect(withVariables(undefined, "2")).toBe(200)
    expect(withVariables("3", "2")).toBe(300)
    expect(withVariables("+4", "2")).toBe(400)
    expect(withVariables("4294967295", undefined)).toBe(429_496_729_500)
    expect(withVariables("fast", "2")).toBe(200)
  })

  it.each(["", "0", "-1", "1.5", "1e3", "0x10", " 2", "2x", "4294967296", "fast"])(
    "is not stretched by the value %j, which is warned about once",
    async (text) => {
      const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {})
      vi.resetModules()
      const fresh = await import("../../src/live/timeout-scale.ts")
      vi.stubEnv("HARNESS_TIMEOUT_SCALE", text)

      expect([fresh.scaled(100), fresh.scaled(100), fresh.timeoutScale()]).toEqual([100, 100, 1])

      expect(warn.mock.calls).toEqual([
        [`HARNESS_TIMEOUT_SCALE is ${JSON.stringify(text)} and is ignored; use a whole number from 1 to 4294967295`]
      ])
    }
  )
})
