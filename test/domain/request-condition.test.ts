import { describe, expect, it } from "vitest"
import { judgeCondition, RequestCondition, seenRequest } from "../../src/domain/request-condition.ts"

const conversation = () => ({ session: "ann", turn: 1 })
const withHeader = (name: string, value: string) =>
  seenRequest({ endpoint: "Messages", kind: "auxiliary", headers: [[name, value]], body: {} }, conversation)

describe("a condition on a header", () => {
  it("tells what is there instead", () => {
    const condition = RequestCondition.header("X-Team", "red")

    expect(condition.description).toBe('header X-Team is "red"')
    expect(judgeCondition(condition, withHeader("x-team", "blue"))).toBe('header X-Team is "blue"')
    expect(judgeCondition(condition, withHeader("x-other", "red"))).toBe("header X-Team is absent")
    expect(judgeCondition(condition, withHeader("x-team", "red"))).toBe(null)
  })

  it.each(["red", /^red$/])("tells no value of a header that holds a key, however short it is (%s)", (wanted) => {
    const condition = RequestCondition.header("X-API-Key", wanted)

    expect(condition.description).toMatch(/^header X-API-Key (is|matches) what was scripted$/)
    expect(judgeCondition(condition, withHeader("x-api-key", "blue"))).toBe("header X-API-Key is another one")
    expect(judgeCondition(condition, withHeader("x-api-key", "red"))).toBe(null)
  })
})

describe("a condition on the attempt", () => {
  it("says when attempts were not counted", () => {
    expect(judgeCondition(RequestCondition.attempt(1), withHeader("x", "y"))).toBe("attempts were not counted yet")
  })

  it.each([0, 1.5, Number.NaN])("cannot ask for %d", (number) => {
    expect(() => RequestCondition.attempt(number)).toThrow("use a whole number from 1")
  })
})
