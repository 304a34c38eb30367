import { describe, expect, test } from "vitest"
import { answerLengthMax, fittingAnswer } from "../../../src/proxy/control/fitting-answer.ts"

describe("an answer", () => {
  // Seen to end the proxy by an error of the runtime: no text is longer than 512 Mi characters.
  test.each([
    ["longer than is given", answerLengthMax],
    ["longer than a text may be", 2 ** 29]
  ])("that is %s says so, under its id", (_, length) => {
    const piece = "x".repeat(2 ** 20)
    const result = Array.from({ length: length / piece.length }, () => piece)

    const { answer, text } = fittingAnswer({ id: 7, ok: true, result })

    expect(answer).toEqual({
      id: 7,
      ok: false,
      error: "the answer has more than 16777216 characters; ask for less with last, or take rules away"
    })
    expect(JSON.parse(text)).toEqual(answer)
  })

  test("that fits is given", () => {
    expect(fittingAnswer({ ok: true, result: 1 }).text).toBe('{"ok":true,"result":1}')
  })
})
