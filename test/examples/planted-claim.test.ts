import { expect, test, vi } from "vitest"
import type * as Book from "../../src/inference/expectation-book.ts"
import type { SimProgram, SimTestOptions } from "../../src/sim.ts"

/** Planted: an expectation whose copy stands at its barrier can be claimed once more, by another client. */
vi.mock("../../src/inference/expectation-book.ts", async (importOriginal) => {
  const real = await importOriginal<typeof Book>()
  const makeExpectationBook: typeof real.makeExpectationBook = (options) => {
    const book = real.makeExpectationBook(options)
    let newest: ReturnType<typeof book.oldestPending>
    return {
      ...book,
      oldestPending: (request) =>
        book.oldestPending(request) ??
        (JSON.stringify(newest?.snapshot.value)?.includes("blocked") ? newest : undefined),
      claim(expectation, fingerprint, known) {
        if (expectation === newest) return
        newest = expectation
        book.claim(expectation, fingerprint, known)
      }
    }
  }
  return { ...real, makeExpectationBook }
})

/** The example itself, word for word, with that server: its `simTest` explores, and gives what the failure says. */
const twin = vi.hoisted(() => ({ says: Promise.resolve("nothing was registered") }))
vi.mock("llm-understudy", () => import("../../src/index.ts"))
vi.mock("llm-understudy/sse", () => import("../../src/sse.ts"))
vi.mock("llm-understudy/sim", async () => {
  const sim = await import("../../src/sim.ts")
  const simTest = (_: string, { timeoutMs, ...options }: SimTestOptions, program: SimProgram): void => {
    twin.says = sim.explore(options, program).then(
      () => "nothing was found",
      (error: Error) => error.message
    )
  }
  return { ...sim, simTest }
})

test("a claim that is not exclusive is found by the example, made small and shown", async () => {
  await import("./racing-retries.test.ts")
  const says = await twin.says
  console.info(says)

  expect(says).toContain("expected 2 to be less than or equal to 1\nlaws that were broken before it:\nat ")
  expect(says).toContain('one-claim: request 2 claimed "the only answer", and request 1 had claimed it')
  expect(says).toMatch(/found in run \d+ of seed 0; \d choices? (?:is|are) not calm/)
  expect(says).toMatch(/SIM_REPLAY='us1\.[\s\S]*sequenceDiagram/)
})
