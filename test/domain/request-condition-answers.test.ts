import { expect, it } from "vitest"
import { judgeCondition, type RequestCondition, seenRequest } from "../../src/domain/request-condition.ts"

const seen = seenRequest(
  { endpoint: "ChatCompletions", kind: "auxiliary", headers: [], body: {} },
  () => {
    throw new Error("nobody asks who it is")
  },
  null
)

const judged = (test: () => unknown): string | null =>
  judgeCondition({ description: "a condition", test: test as RequestCondition["test"] }, seen)

it.each([
  ["true", () => true, null],
  ["false", () => false, "it does not hold"],
  [
    "a promise",
    async () => true,
    "its test gave a promise; it must answer true or false at once, so it cannot be async"
  ],
  ["a promise that rejects", async () => Promise.reject(new Error("later")), "its test gave a promise"],
  ["a number", () => 3, "its test gave 3; it must answer true or false"],
  ["nothing", () => {}, "its test gave undefined; it must answer true or false"],
  [
    "an error",
    () => {
      throw new Error("what is this")
    },
    "its test threw: what is this"
  ],
  [
    "something without words",
    () => {
      throw Object.create(null)
    },
    "its test threw: {}"
  ]
])("a condition whose test gives %s is judged, and never harms the server", (_, test, words) => {
  const judgement = judged(test)

  if (words === null) expect(judgement).toBeNull()
  else expect(judgement).toContain(words)
})
