import { describe, expect, test } from "vitest"
import { type Outcome, thrownOutcome } from "../../src/explore/outcome.ts"
import { OracleViolated } from "../../src/oracles/violation.ts"

const failed = (error: unknown): Extract<Outcome, { readonly type: "failed" }> => {
  const outcome = thrownOutcome(error)
  if (outcome.type === "ok") throw new Error("it is no failure")
  return outcome
}

const because = (message: string, cause: unknown): Error => new Error(message, { cause })

// Seen to fail while the message was that of the outermost error alone.
describe("What a run failed with", () => {
  test("is told with all that was behind it, each once", () => {
    const refused = because("connect ECONNREFUSED", because("nobody listens", null))
    const error = because("Connection error.", because("fetch failed", because("fetch failed", refused)))

    expect(failed(error).message).toBe("Connection error. (fetch failed; connect ECONNREFUSED; nobody listens)")
  })

  test("is told with a cause that is no error", () => {
    expect(failed(because("bad", "the dog ate it")).message).toBe('bad ("the dog ate it")')
  })

  test("says nothing twice", () => {
    expect(failed(because("law throws boom", new Error("boom"))).message).toBe("law throws boom")
  })

  test("has its causes under a message of several lines", () => {
    expect(failed(because("one\ntwo", new Error("three"))).message).toBe("one\ntwo\n(three)")
  })

  test("ends where causes go in circles or have no end, with the innermost", () => {
    const circle = new Error("round")
    circle.cause = because("and round", circle)
    const deep = Array.from({ length: 50 }).reduce<Error>(
      (cause, _, index) => because(`e${index}.`, cause),
      new Error("root")
    )

    expect(failed(circle).message).toBe("round (and round)")
    expect(failed(deep).message).toBe("e49. (e48.; e47.; e46.; e45.; root)")
  })

  test("is the same failure whatever was behind it", () => {
    expect(failed(because("bad", new Error("that"))).signature).toBe(failed(new Error("bad")).signature)
  })
})

test("A law's own message is told as it is, and is the same failure with other numbers", () => {
  const violated = (count: number): OracleViolated =>
    new OracleViolated({ oracle: "few", shape: "# requests", message: `${count} requests`, at: 3, events: 1 })

  expect(failed(violated(5)).message).toBe("few: 5 requests\nat 3 ms, few: 5 requests")
  expect(failed(violated(6)).signature).toBe(failed(violated(5)).signature)
  expect(failed(violated(5)).signature).toBe("OracleViolated: few: # requests")
})
